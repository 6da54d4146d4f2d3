// The learning rate over the steps of a run.
#pragma once
#include <cstdint>
#include <string>

namespace normscope {

struct Schedule {
  std::string kind = "constant";  // constant, linear, cosine; each after a linear warm-up
  double learning_rate = 2e-5;
  int64_t warmup_steps = 0, total_steps = 1;

  // Step is 0-based. Source: transformers optimization.py, get_{constant,linear,cosine}_schedule_with_warmup.
  double at(int64_t step) const;
};

}  // namespace normscope
