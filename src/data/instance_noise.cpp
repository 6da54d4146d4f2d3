// The kind instance: which rows and which labels depends on what the rows contain.
// Source: Xia et al. 2020, "Part-dependent Label Noise", appendix: each row has its own flip rate, drawn around the
// mean; its features through one random projection a class say to which label. Departures: exactly n rows flip, chosen
// in proportion to their rates, and the features are row_features().
#include <algorithm>
#include <cmath>
#include <map>

#include "core/random.h"
#include "data/label_noise.h"
#include "data/row_features.h"

namespace normscope {
namespace {

constexpr double kRateDeviation = 0.1;  // of the rows' own rates, as in the source

// Normal, cut off outside 0-1.
double own_rate(double mean, RandomStream& random) {
  for (int tries = 0; tries < 1000; ++tries) {
    const double rate = mean + kRateDeviation * random.normal();
    if (rate > 0 && rate < 1) return rate;
  }
  return std::clamp(mean, 1e-6, 1.0);
}

// Random weights [features, classes] of each true class, made when it is first met.
class Projections {
 public:
  Projections(int64_t seed, size_t num_features, size_t num_classes)
      : seed_(seed), num_features_(num_features), num_classes_(num_classes) {}

  const double* weights(int true_label, int64_t feature) {
    auto& of_class = weights_[true_label];
    if (of_class.empty()) {
      RandomStream random(static_cast<uint64_t>(seed_), "noise_projection", static_cast<uint64_t>(true_label));
      of_class.resize(num_features_ * num_classes_);
      for (double& weight : of_class) weight = random.normal();
    }
    return of_class.data() + static_cast<size_t>(feature) * num_classes_;
  }

 private:
  int64_t seed_;
  size_t num_features_, num_classes_;
  std::map<int, std::vector<double>> weights_;
};

// Drawn by softmax over the classes other than the true one.
int draw_label(std::vector<double> logits, int true_label, RandomStream& random) {
  logits[static_cast<size_t>(true_label)] = -std::numeric_limits<double>::infinity();
  const double largest = *std::ranges::max_element(logits);
  double sum = 0;
  for (double& logit : logits) sum += logit = std::exp(logit - largest);
  double left = random.uniform() * sum;
  int last = -1;
  for (size_t c = 0; c < logits.size(); ++c) {
    if (logits[c] == 0) continue;
    last = static_cast<int>(c);
    left -= logits[c];
    if (left < 0) break;
  }
  return last;
}

}  // namespace

LabelNoise draw_instance_noise(const NoiseOptions& options, const Dataset& train,
                               std::span<const std::string> classes) {
  LabelNoise noise;
  if (options.rate == 0) noise.warnings.push_back("noise.rate is 0: no label is changed");
  const auto count = static_cast<size_t>(noisy_row_count(options.rate, static_cast<int64_t>(train.size())));
  // Sampling in proportion without replacement: the smallest of exponential times at the rows' rates (Efraimidis &
  // Spirakis 2006).
  std::vector<std::pair<double, int64_t>> times;
  for (size_t i = 0; i < train.size(); ++i) {
    RandomStream random(static_cast<uint64_t>(options.seed), "noise_rate", i);
    const double rate = own_rate(options.rate, random);
    times.emplace_back(-std::log(1 - random.uniform()) / rate, static_cast<int64_t>(i));
  }
  std::ranges::sort(times);
  times.resize(count);
  if (times.empty()) return noise;

  const auto features = row_features(train);
  Projections projections(options.seed, static_cast<size_t>(train.has_images() ? kPictureFeatures : kTextFeatures),
                          classes.size());
  for (const auto& [time, row] : times) {
    const auto i = static_cast<size_t>(row);
    std::vector<double> logits(classes.size());
    for (const auto& [feature, value] : features[i]) {
      const double* weights = projections.weights(train.labels[i], feature);
      for (size_t c = 0; c < logits.size(); ++c) logits[c] += value * weights[c];
    }
    RandomStream random(static_cast<uint64_t>(options.seed), "noise_label", i);
    noise.rows.push_back(
        {row, train.source_rows[i], draw_label(std::move(logits), train.labels[i], random), train.labels[i]});
  }
  return noise;
}

}  // namespace normscope
