// A trained checkpoint and how the data options read rows for it.
#pragma once
#include "cli/data_options.h"
#include "experiments/open_model.h"

namespace normscope {

struct TrainedModel {
  OpenedModel opened;
  DataRecipe data;
  std::vector<std::string> labels;  // class order
  int64_t max_length = 0;           // tokens; what was asked for, or as many as the model has positions
  BatchOptions batch;
};

// Rows as that model reads them.
TokenRows read_inputs(const TrainedModel& trained, const Dataset& rows);

// How files of rows are read for it.
DataOptions reading_options(const TrainedModel& trained);

// On the device "auto". Throws Error(Checkpoint) for a checkpoint whose head was never trained, Error(Usage) for
// options that do not fit the model.
TrainedModel open_trained_model(const std::string& checkpoint, const DataArguments& arguments);

}  // namespace normscope
