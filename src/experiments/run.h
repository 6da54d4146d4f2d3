// One run of a study: data, model, intervention, training, readings, checkpoint.
#pragma once
#include <filesystem>
#include <functional>

#include "experiments/prepared_data.h"
#include "experiments/progress.h"
#include "storage/run_store.h"

namespace normscope {

struct RunContext {
  RunStore& store;
  std::filesystem::path runs_folder;
  Progress& progress;
  std::function<bool()> should_stop;
  DataCache& cache;
  torch::Device device;
  torch::ScalarType dtype;
  int num_threads;
  int64_t index = 0, total = 1;  // of the study's runs
};

// Starts the run or goes on where it was, bit-identically. Returns false when it was stopped; its state is saved.
bool run_one(const RunRecipe& run, RunContext& context);

// "none", "all", "early", "paper:all", "0-3 attention", ...: the norms a recipe touches, in few words.
std::string norm_selection_label(const Recipe& recipe);

// "Emotions" for a preparation, else the training file's name without folder and ending.
std::string dataset_label(const Recipe& recipe);

}  // namespace normscope
