#include "measurements/norm_inputs.h"

#include <algorithm>
#include <cmath>

namespace normscope {

double padded_entropy(double real_sum, int64_t real_tokens, int64_t padding, int64_t window) {
  double sum = real_sum;
  for (int64_t i = 1; i <= padding; ++i) sum += std::log(static_cast<double>(window > 0 ? std::min(i, window) : i));
  return sum / static_cast<double>(real_tokens + padding);
}

}  // namespace normscope
