// Classification and memorization against hand-computed values and scikit-learn's.
#include <gtest/gtest.h>

#include <cmath>

#include "measurements/classification.h"
#include "measurements/m_score.h"
#include "measurements/memorization.h"

namespace normscope {
namespace {

// One-hot-like logits that predict the given classes.
Logits predicting(const std::vector<int>& classes, int num_classes) {
  Logits logits;
  logits.num_classes = num_classes;
  for (const int c : classes)
    for (int k = 0; k < num_classes; ++k) logits.values.push_back(k == c ? 2.0 : 0.0);
  return logits;
}

TEST(Classification, EqualsScikitLearn) {
  // precision_recall_fscore_support(y, p, average="macro", zero_division=0) of scikit-learn 1.7.
  const std::vector<int> labels = {0, 1, 2, 2, 1, 0, 3, 2}, predictions = {0, 2, 2, 2, 1, 1, 0, 0};
  const auto c = classify(predicting(predictions, 5), labels);
  EXPECT_DOUBLE_EQ(c.accuracy, 50);
  EXPECT_NEAR(c.macro_precision, 37.5, 1e-12);
  EXPECT_NEAR(c.macro_recall, 41.66666666666667, 1e-12);
  EXPECT_NEAR(c.macro_f1, 39.166666666666664, 1e-12);
  EXPECT_EQ(c.confusion[2], (std::vector<int64_t>{1, 0, 2, 0, 0}));
}

TEST(Classification, LossIsMeanCrossEntropy) {
  const auto c = classify(predicting({0, 1}, 2), std::vector<int>{0, 0});
  const double right = std::log(1 + std::exp(-2.0)), wrong = std::log(1 + std::exp(2.0));
  EXPECT_NEAR(c.loss, (right + wrong) / 2, 1e-15);
}

TEST(Classification, NothingIsUndefined) {
  Logits none;
  none.num_classes = 3;
  EXPECT_TRUE(std::isnan(classify(none, {}).accuracy));
  EXPECT_TRUE(std::isnan(measure_memorization(none, {}, {}).memorization));
}

TEST(Memorization, ThreeOutcomesAddUpTo100) {
  const std::vector<int> given = {1, 1, 2, 0}, truth = {3, 3, 3, 3};
  const auto m = measure_memorization(predicting({1, 3, 0, 0}, 4), given, truth);
  EXPECT_DOUBLE_EQ(m.memorization, 50);
  EXPECT_DOUBLE_EQ(m.recovery, 25);
  EXPECT_DOUBLE_EQ(m.random_prediction, 25);
  EXPECT_EQ(noisy_outcome(3, 1, 3), NoisyOutcome::Recovered);
}

TEST(Logits, MarginAndStableCrossEntropy) {
  const std::vector<double> row = {1000, 990, -1000};
  EXPECT_DOUBLE_EQ(margin(row, 1), -10);
  EXPECT_DOUBLE_EQ(margin(row, 0), 10);
  EXPECT_NEAR(cross_entropy(row, 1), 10 + std::log1p(std::exp(-10.0)), 1e-12);
}

TEST(MScore, EqualsScipysPairedTest) {
  // Two classes with logits (0, x): p(1) = 1 / (1 + e^-x).
  const auto of = [](const std::vector<double>& probabilities) {
    Logits logits;
    logits.num_classes = 2;
    for (const double p : probabilities) logits.values.insert(logits.values.end(), {0, std::log(p / (1 - p))});
    return logits;
  };
  const auto without = of({0.2, 0.5, 0.1, 0.4}), with = of({0.5, 0.6, 0.1, 0.6});
  // SciPy 1.17: ttest_rel([.5, .6, .1, .6], [.2, .5, .1, .4], alternative="greater").
  const auto m = measure_m_score(without, with, 1);
  EXPECT_NEAR(m.score, 0.15, 1e-15);
  EXPECT_NEAR(m.p, 0.051364039429199496, 1e-12);
  const auto other_class = measure_m_score(without, with, 0);
  EXPECT_NEAR(other_class.score, -0.15, 1e-15);
  EXPECT_NEAR(other_class.p, 1 - m.p, 1e-12);
  EXPECT_TRUE(std::isnan(measure_m_score(of({}), of({}), 1).score));
}

}  // namespace
}  // namespace normscope
