#include "measurements/norm_gradients.h"

#include <algorithm>
#include <cmath>

#include "core/statistics.h"

namespace normscope {
namespace {

constexpr int kResamples = 1000;

}  // namespace

Estimate estimate_mean(std::span<const double> values, uint64_t seed) {
  RandomStream random(seed, "bootstrap");
  const auto interval = bootstrap_mean(values, random, kResamples);
  return {mean(values), interval.low, interval.high};
}

Estimate estimate_ratio(std::span<const double> above, std::span<const double> below, uint64_t seed) {
  RandomStream random(seed, "bootstrap_ratio");
  const auto interval = bootstrap_ratio(above, below, random, kResamples);
  return {mean(above) / mean(below), interval.low, interval.high};  // NaN when either is empty
}

std::vector<double> logit_gradient(std::span<const double> logits, int label) {
  const double largest = *std::ranges::max_element(logits);
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit - largest);
  std::vector<double> gradient(logits.size());
  double others = 0;  // 1 - p_label as the sum of the others
  for (size_t k = 0; k < logits.size(); ++k) {
    if (static_cast<int>(k) == label) continue;
    gradient[k] = std::exp(logits[k] - largest) / sum;
    others += gradient[k];
  }
  gradient[static_cast<size_t>(label)] = -others;
  return gradient;
}

double length(std::span<const double> vector) {
  double squares = 0;
  for (const double x : vector) squares += x * x;
  return std::sqrt(squares);
}

}  // namespace normscope
