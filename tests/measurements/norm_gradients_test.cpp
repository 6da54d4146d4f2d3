// Aggregates of per-row gradients, and the study's own numbers where it states them.
#include "measurements/norm_gradients.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/statistics.h"
#include "measurements/norm_inputs.h"

namespace normscope {
namespace {

TEST(Estimate, IsTheMeanWithAnIntervalThatRepeats) {
  std::vector<double> values;
  RandomStream random(1, "test");
  for (int i = 0; i < 200; ++i) values.push_back(3 + random.normal());
  const auto a = estimate_mean(values, 7), b = estimate_mean(values, 7), other = estimate_mean(values, 8);
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
  EXPECT_NE(a.low, other.low);
  EXPECT_DOUBLE_EQ(a.mean, mean(values));
  // The normal interval, which the bootstrap's tends to: 1.96 standard errors of 200 draws of variance 1.
  const double error = 1.96 * sample_deviation(values) / std::sqrt(200);
  EXPECT_NEAR(a.low, a.mean - error, 0.03);
  EXPECT_NEAR(a.high, a.mean + error, 0.03);
  EXPECT_TRUE(std::isnan(estimate_mean({}, 1).mean));
}

// A common factor of both sides leaves a ratio as it is; of one side it multiplies the whole interval.
TEST(Estimate, RatiosScale) {
  const std::vector<double> above = {3, 4, 5, 9}, below = {1, 2, 3};
  std::vector<double> doubled;
  for (const double value : above) doubled.push_back(2 * value);
  const auto plain = estimate_ratio(above, below, 3), twice = estimate_ratio(doubled, below, 3);
  EXPECT_DOUBLE_EQ(plain.mean, 5.25 / 2);
  EXPECT_DOUBLE_EQ(twice.low, 2 * plain.low);
  EXPECT_DOUBLE_EQ(twice.high, 2 * plain.high);
  EXPECT_LT(plain.low, plain.mean);
  EXPECT_GT(plain.high, plain.mean);
}

TEST(LogitGradient, LiesWithinTheStudysBounds) {
  RandomStream random(2, "test");
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> logits;
    for (int k = 0; k < 6; ++k) logits.push_back(5 * random.normal());
    double sum = 0;
    for (const double logit : logits) sum += std::exp(logit);
    const int label = static_cast<int>(random.below(6));
    double squares = 0;
    for (size_t k = 0; k < 6; ++k)
      squares += std::pow(std::exp(logits[k]) / sum - (static_cast<int>(k) == label ? 1 : 0), 2);
    const double found = length(logit_gradient(logits, label)),
                 missing = 1 - std::exp(logits[static_cast<size_t>(label)]) / sum;
    EXPECT_NEAR(found, std::sqrt(squares), 1e-12);
    EXPECT_GE(found, missing * std::sqrt(6.0 / 5) * (1 - 1e-9));  // study.md 5.1
    EXPECT_LE(found, missing * std::sqrt(2.0) * (1 + 1e-9));
  }
  // A memorised row: 1 - p is far below what 1.0 minus a double can show.
  EXPECT_NEAR(length(logit_gradient(std::vector<double>{60, 0}, 0)) / (std::sqrt(2.0) * std::exp(-60)), 1, 1e-12);
}

// Study.md D8: what the published table shows follows from padding alone, whatever the real tokens attend to.
TEST(PaddedEntropy, GivesThePublishedTableFromPaddingAlone) {
  const auto table = [](int64_t real_tokens, int64_t window) {
    return padded_entropy(2.0 * static_cast<double>(real_tokens), real_tokens, 512 - real_tokens, window);
  };
  EXPECT_NEAR(table(22, 0), 5.07, 0.01);  // GPT-Neo, global layers: 5.04 to 5.07
  EXPECT_NEAR(table(25, 0), 5.04, 0.01);
  EXPECT_NEAR(table(22, 256), 4.90, 0.01);  // local layers: 4.88 to 4.90
  EXPECT_NEAR(table(25, 256), 4.88, 0.01);
}

}  // namespace
}  // namespace normscope
