// What is true of a run before its first epoch: rows, classes, noise, removed norms, sizes, data quality.
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace normscope {

struct RunFacts {
  std::string dataset;  // as people call it: a preparation's name, or the training file's
  int64_t train_rows = 0, validation_rows = 0, test_rows = 0;
  std::vector<std::string> labels;  // in class order
  std::string noise_kind;           // "none" or the recipe's word
  std::string noisy_class;
  int64_t noisy_rows = 0;
  int64_t norms = 0;                       // of the intact model
  std::vector<std::string> removed_norms;  // names as published checkpoints have them
  int64_t num_hidden_layers = 0;
  int64_t parameters = 0;                   // trained
  int64_t removed_parameters = 0;           // not trained because their norm lost them
  std::vector<std::string> data_quality;    // one sentence each: skipped rows, duplicates, truncated texts, ...
  std::vector<std::string> warnings;        // one sentence each
  // The recipe that the run's checkpoint was trained by, where normscope trained it; two checkpoints whose recipes differ
  // in the placement alone are a network and its twin.
  std::string checkpoint_recipe;
  std::map<std::string, std::string> more;  // shown as they are
};

nlohmann::ordered_json to_json(const RunFacts& facts);

// Unknown keys are passed over: a newer normscope may have written them.
RunFacts run_facts_from_json(const nlohmann::json& json);

}  // namespace normscope
