// Training steps of a model timed beside the machine's limit for them: the matrix products and the update alone.
#pragma once
#include <map>
#include <string>

#include "training/trainer.h"

namespace normscope {

struct BenchResult {
  int64_t steps = 0;
  double seconds_per_step = 0;  // median
  double samples_per_second = 0, tokens_per_second = 0;
  double limit_seconds_per_step = 0;  // median over the same batches, in the same rounds
  int64_t peak_memory_bytes = 0;
  std::map<std::string, double> parts;  // seconds a step: data, forward, backward, optimizer

  double share_of_limit() const { return limit_seconds_per_step / seconds_per_step; }
};

// `steps` batches of `batch_size` rows in the file's order, repeated when it ends; 3 more warm up.
BenchResult bench_training(Model& model, const TokenRows& rows, int64_t batch_size, int64_t steps,
                           const BatchOptions& options);

}  // namespace normscope
