// How long a study will take and how much memory, from a few measured steps.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "recipe/recipe.h"

namespace normscope {

struct RunEstimate {
  double seconds = 0;
  int64_t memory_bytes = 0;  // the most that its process holds
};

// Trains a few steps and evaluates a few rows of each model and data set of the grid, alone on the machine, with so
// many threads; runs that differ in nothing that costs time share one measurement. Writes no file. Checkpoints,
// measured gradients and early stops are not counted.
class Estimator {
 public:
  explicit Estimator(int64_t threads) : threads_(threads) {}
  // Throws Error as the run would.
  RunEstimate estimate(const RunRecipe& run);

 private:
  struct Measured {
    std::string key;
    double seconds_per_step = 0, seconds_per_evaluated_row = 0, seconds_to_start = 0;
    int64_t train_rows = 0, validation_rows = 0, test_rows = 0, memory_bytes = 0;
  };
  const Measured& measured(const Recipe& recipe);
  int64_t threads_;
  std::vector<Measured> measured_;
};

}  // namespace normscope
