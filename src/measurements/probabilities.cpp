#include "measurements/probabilities.h"

#include <algorithm>
#include <cmath>

namespace normscope {

Probabilities softmax(const Logits& logits) {
  Probabilities probabilities{logits.num_classes, {}};
  probabilities.values.reserve(logits.values.size());
  for (int64_t i = 0; i < logits.count(); ++i) {
    const auto row = logits.row(i);
    const double largest = *std::ranges::max_element(row);
    double sum = 0;
    for (const double logit : row) sum += std::exp(logit - largest);
    for (const double logit : row) probabilities.values.push_back(std::exp(logit - largest) / sum);
  }
  return probabilities;
}

}  // namespace normscope
