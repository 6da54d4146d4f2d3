#include "measurements/logits.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace normscope {

int predicted_label(std::span<const double> row) {
  return static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
}

double cross_entropy(std::span<const double> row, int label) {
  const double largest = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (const double logit : row) sum += std::exp(logit - largest);
  return largest + std::log(sum) - row[static_cast<size_t>(label)];
}

double margin(std::span<const double> row, int label) {
  double other = -std::numeric_limits<double>::infinity();
  for (size_t c = 0; c < row.size(); ++c)
    if (static_cast<int>(c) != label) other = std::max(other, row[c]);
  return row[static_cast<size_t>(label)] - other;
}

}  // namespace normscope
