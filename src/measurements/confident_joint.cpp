// Counts rows that a classifier is sure of by given and by likely true label, and reads noise rates off the counts.
#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "measurements/confident_learning.h"

namespace normscope {
namespace {

constexpr double kTolerance = 1e-6;  // cleanlab's, wherever it compares probabilities
constexpr double kLeast = 1e-100;    // keeps divisors off 0

std::vector<int64_t> count_labels(std::span<const int> labels, size_t num_classes) {
  std::vector<int64_t> counts(num_classes);
  for (const int label : labels) ++counts[static_cast<size_t>(label)];
  return counts;
}

std::vector<double> confident_thresholds(std::span<const int> labels, const Probabilities& probabilities) {
  const auto num_classes = static_cast<size_t>(probabilities.num_classes);
  const auto counts = count_labels(labels, num_classes);
  std::vector<double> thresholds(num_classes);
  for (size_t i = 0; i < labels.size(); ++i) {
    const auto label = static_cast<size_t>(labels[i]);
    thresholds[label] += probabilities.row(static_cast<int64_t>(i))[label];
  }
  for (size_t c = 0; c < num_classes; ++c)
    thresholds[c] = counts[c] == 0 ? 2 : std::max(thresholds[c] / static_cast<double>(counts[c]), 2 * kTolerance);
  return thresholds;
}

// The class that a row is confidently of, or -1: the only one above its threshold, else the most probable.
int confident_class(std::span<const double> row, const std::vector<double>& thresholds) {
  int found = -1, num_confident = 0;
  for (size_t c = 0; c < row.size(); ++c) {
    if (row[c] < thresholds[c] - kTolerance) continue;
    if (num_confident++ == 0) found = static_cast<int>(c);
  }
  return num_confident > 1 ? predicted_label(row) : found;
}

// Positions by ascending value, as a bitonic sorting network leaves them: equal values come in the order in which
// NumPy's argsort has them on processors with AVX2 (up to 256 values), and cleanlab's rounding depends on that order.
std::vector<size_t> network_order(std::span<const double> values) {
  std::vector<size_t> order(std::bit_ceil(values.size()));
  std::iota(order.begin(), order.end(), size_t{0});
  const auto value = [&](size_t i) { return i < values.size() ? values[i] : std::numeric_limits<double>::infinity(); };
  const auto compare = [&](size_t low, size_t high) {
    if (value(order[low]) > value(order[high])) std::swap(order[low], order[high]);
  };
  for (size_t block = 2; block <= order.size(); block *= 2) {
    for (size_t begin = 0; begin < order.size(); begin += block)
      for (size_t i = 0; i < block / 2; ++i) compare(begin + i, begin + block - 1 - i);
    for (size_t stride = block / 4; stride > 0; stride /= 2)
      for (size_t i = 0; i < order.size(); ++i)
        if ((i & stride) == 0) compare(i, i + stride);
  }
  order.resize(values.size());
  return order;
}

// Each to the nearest (halves to even); then those that lost or won most give way until the sum is the rounded sum.
std::vector<int64_t> round_keeping_sum(std::span<const double> values) {
  std::vector<double> whole;
  for (const double value : values) whole.push_back(std::nearbyint(value));
  const double wanted = std::nearbyint(std::accumulate(values.begin(), values.end(), 0.0));
  double missing = wanted - std::accumulate(whole.begin(), whole.end(), 0.0);
  while (missing != 0) {
    std::vector<double> lost;
    for (size_t i = 0; i < values.size(); ++i) lost.push_back(values[i] - whole[i]);
    auto order = network_order(lost);
    if (missing > 0) std::ranges::reverse(order);
    order.resize(std::min(order.size(), static_cast<size_t>(std::abs(missing))));
    for (const size_t i : order) whole[i] += missing > 0 ? 1 : -1;
    missing = wanted - std::accumulate(whole.begin(), whole.end(), 0.0);
  }
  return {whole.begin(), whole.end()};
}

CountMatrix calibrate(const CountMatrix& confident, std::span<const int> labels) {
  const auto counts = count_labels(labels, confident.size());
  std::vector<std::vector<double>> scaled;
  double total = 0;
  for (size_t given = 0; given < confident.size(); ++given) {
    auto& row = scaled.emplace_back(confident[given].begin(), confident[given].end());
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double& value : row) value = value / std::max(sum, kLeast) * static_cast<double>(counts[given]);
    total += std::accumulate(row.begin(), row.end(), 0.0);
  }
  CountMatrix calibrated;
  for (auto& row : scaled) {
    for (double& value : row) value = value / std::max(total, kLeast) * static_cast<double>(labels.size());
    calibrated.push_back(round_keeping_sum(row));
  }
  return calibrated;
}

// Entries off the diagonal to 0-0.9999, then columns that sum to 1.
void clip_rates(RateMatrix& rates) {
  for (size_t column = 0; column < rates.size(); ++column) {
    double sum = 0;
    for (size_t row = 0; row < rates.size(); ++row) {
      auto& rate = rates[row][column];
      if (row != column) rate = std::clamp(rate, 0.0, 0.9999);
      sum += rate;
    }
    for (auto& row : rates) row[column] /= std::max(sum, kLeast);
  }
}

}  // namespace

ConfidentJoint confident_joint(std::span<const int> labels, const Probabilities& probabilities) {
  assert(static_cast<int64_t>(labels.size()) == probabilities.count());
  const auto num_classes = static_cast<size_t>(probabilities.num_classes);
  ConfidentJoint joint;
  joint.thresholds = confident_thresholds(labels, probabilities);
  joint.confident.assign(num_classes, std::vector<int64_t>(num_classes));
  for (size_t i = 0; i < labels.size(); ++i) {
    const int likely = confident_class(probabilities.row(static_cast<int64_t>(i)), joint.thresholds);
    if (likely < 0) continue;
    ++joint.confident[static_cast<size_t>(labels[i])][static_cast<size_t>(likely)];
    if (likely != labels[i]) joint.off_diagonal.push_back(static_cast<int64_t>(i));
  }
  for (size_t c = 0; c < num_classes; ++c) joint.confident[c][c] = std::max<int64_t>(joint.confident[c][c], 1);
  joint.calibrated = calibrate(joint.confident, labels);
  return joint;
}

LatentNoise estimate_latent_noise(const ConfidentJoint& joint, std::span<const int> labels) {
  const auto& counts = joint.calibrated;
  const size_t num_classes = counts.size();
  std::vector<double> given_counts(num_classes), true_counts(num_classes);
  for (size_t given = 0; given < num_classes; ++given) {
    for (size_t truth = 0; truth < num_classes; ++truth) {
      given_counts[given] += static_cast<double>(counts[given][truth]);
      true_counts[truth] += static_cast<double>(counts[given][truth]);
    }
  }
  LatentNoise latent;
  latent.noise.assign(num_classes, std::vector<double>(num_classes));
  latent.inverse_noise = latent.noise;
  for (size_t given = 0; given < num_classes; ++given) {
    for (size_t truth = 0; truth < num_classes; ++truth) {
      const auto count = static_cast<double>(counts[given][truth]);
      latent.noise[given][truth] = count / std::max(true_counts[truth], kLeast);
      latent.inverse_noise[truth][given] = count / std::max(given_counts[given], kLeast);
    }
  }
  const auto label_counts = count_labels(labels, num_classes);
  double sum = 0;
  for (size_t c = 0; c < num_classes; ++c) {
    const double given = static_cast<double>(label_counts[c]) / static_cast<double>(labels.size());
    const double prior = latent.inverse_noise[c][c] / std::max(latent.noise[c][c], kLeast) * given;
    latent.prior.push_back(std::clamp(prior, kTolerance, 1.0));
    sum += latent.prior.back();
  }
  for (double& prior : latent.prior) prior /= sum;
  clip_rates(latent.noise);
  clip_rates(latent.inverse_noise);
  return latent;
}

}  // namespace normscope
