// How a machine's cores are divided between the runs of a study.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "recipe/recipe.h"

namespace normscope {

// Threads of each run of a new study. `jobs` is how many shall run at once, 0 when nobody said: then one thread a run
// where there are at least as many runs as cores (and memory for so many at once), else every core for one run.
int64_t choose_threads(const std::vector<RunRecipe>& runs, const std::string& device, int64_t jobs);

// How many runs at once, when nobody said, for a study whose runs have so many threads.
int64_t choose_jobs(const std::vector<RunRecipe>& runs, const std::string& device, int64_t threads);

// Bytes that the largest of the models takes to train, by its parameters: their values, gradients and two moments, and
// as much again as the values for what a step holds. Throws Error(Checkpoint).
int64_t training_memory(const std::vector<RunRecipe>& runs);

}  // namespace normscope
