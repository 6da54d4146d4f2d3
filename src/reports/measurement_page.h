// The report's section on what normscope measure found on a trained run, from the measure.json that it leaves there.
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "reports/figures.h"
#include "reports/table.h"

namespace normscope {

// One measure.json, read and checked; figures and tables are made of it.
struct Measurement {
  FigureGroup bounds;  // measured gradients under each level of theorem 2's bound; no figures where it was not checked
  std::vector<Table> tables;
};

// `run` names the run, `prefix` starts the figures' names. Throws Error(Data) naming a file that is none.
Measurement read_measurement(const std::filesystem::path& measure_json, const std::string& run,
                             const std::string& prefix);

// Of every run that was measured, with the run's id.
std::vector<std::pair<std::string, Measurement>> read_measurements(const StudyView& study);

}  // namespace normscope
