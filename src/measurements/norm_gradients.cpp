#include "measurements/norm_gradients.h"

#include <algorithm>
#include <cmath>

#include "core/statistics.h"

namespace normscope {
namespace {

constexpr int kResamples = 1000;

double resampled_mean(std::span<const double> values, RandomStream& random) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) sum += values[random.below(values.size())];
  return sum / static_cast<double>(values.size());
}

// As numpy.quantile: linear between the neighbours.
double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Estimate estimate_mean(std::span<const double> values, uint64_t seed) {
  RandomStream random(seed, "bootstrap");
  const auto interval = bootstrap_mean(values, random, kResamples);
  return {mean(values), interval.low, interval.high};
}

Estimate estimate_ratio(std::span<const double> above, std::span<const double> below, uint64_t seed) {
  const double ratio = mean(above) / mean(below);  // NaN when either is empty
  if (above.size() < 2 || below.size() < 2) return {ratio, std::nan(""), std::nan("")};
  RandomStream random(seed, "bootstrap_ratio");
  std::vector<double> ratios;
  for (int i = 0; i < kResamples; ++i) {
    const double numerator = resampled_mean(above, random);
    ratios.push_back(numerator / resampled_mean(below, random));
  }
  std::ranges::sort(ratios);
  return {ratio, quantile(ratios, 0.025), quantile(ratios, 0.975)};
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
