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
  std::optional<InputReader> reader;

  // How files of rows are read for it, and those rows as the model reads them.
  DataOptions reading_options() const;
  TokenRows read(const Dataset& rows) { return reader->read(rows, max_length).rows; }
};

// On the device "auto". Throws Error(Checkpoint) for a checkpoint whose head was never trained, Error(Usage) for
// options that do not fit the model.
TrainedModel open_trained_model(const std::string& checkpoint, const DataArguments& arguments);

}  // namespace normscope
