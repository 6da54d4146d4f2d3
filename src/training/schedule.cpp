#include "training/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace normscope {

double Schedule::at(int64_t step) const {
  if (step < warmup_steps)
    return learning_rate * static_cast<double>(step) / static_cast<double>(std::max<int64_t>(1, warmup_steps));
  const double progress =
      static_cast<double>(step - warmup_steps) / static_cast<double>(std::max<int64_t>(1, total_steps - warmup_steps));
  if (kind == "linear") return learning_rate * std::max(0.0, 1 - progress);
  if (kind == "cosine") return learning_rate * std::max(0.0, 0.5 * (1 + std::cos(std::numbers::pi * progress)));
  return learning_rate;
}

}  // namespace normscope
