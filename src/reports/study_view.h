// A study read from its database once: runs, and units of runs that differ in their norms and seeds only.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "measurements/memorization_curve.h"
#include "storage/run_store.h"

namespace normscope {

struct RunView {
  Run run;
  std::vector<EpochMetrics> epochs;
  std::vector<StoredNoisyRow> noisy_rows;
  std::vector<RunStore::Predictions> predictions;
  std::vector<Reading> norm_readings;
  std::filesystem::path noisy_pictures;  // folder of <row>.png; empty where rows are texts
  std::filesystem::path measurement;     // measure.json; empty where nobody measured

  bool has_trained() const { return !epochs.empty() && epochs.back().epoch > 0; }
  const EpochMetrics& last() const { return epochs.back(); }
};

// One metric over the run's epochs; NaN where it was not measured.
std::vector<CurvePoint> curve(const RunView& run, double EpochMetrics::*metric);

// One model on one data set under one recipe: what a claim is decided on.
struct Unit {
  std::string title;  // "bert on emotions", with what sets it apart when two units share that
  std::string model, placement, dataset;
  std::vector<const RunView*> runs;

  std::vector<std::string> selections() const;  // intact first, then all, early, middle, later, others
  std::vector<const RunView*> with(const std::string& norm_selection) const;  // those that have trained
  std::vector<int64_t> seeds() const;                                         // ascending
};

struct StudyView {
  Study study;
  std::string name;
  std::vector<RunView> runs;
  std::vector<Unit> units;                    // point into `runs`
  std::vector<std::filesystem::path> audits;  // audit.json of the study, then of runs

  StudyView() = default;
  StudyView(StudyView&&) = default;
};

StudyView load_study(const RunStore& store);

// A recipe's lines that two runs must share to be compared: not the name, norms, epochs or what is kept and
// measured; seeds only when `with_seeds`. Lines are "section.key = value".
std::vector<std::string> shared_recipe_lines(const std::string& recipe, bool with_seeds);

}  // namespace normscope
