// Twins are found by what they share, and read at the two points of the claims.
#include "reports/pairs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reports/synthetic_study.h"

namespace normscope {
namespace {

RunView run_with(const std::vector<std::pair<double, double>>& clean_and_test) {
  RunView view;
  for (const auto& [clean, test] : clean_and_test) {
    EpochMetrics row;
    row.epoch = static_cast<int64_t>(view.epochs.size());
    row.train_clean_accuracy = clean;
    row.test_accuracy = test;
    view.epochs.push_back(row);
  }
  return view;
}

TEST(PairReading, EqualEpochsIsTheLastOfTheShorter) {
  const auto intact = run_with({{20, 20}, {80, 70}, {99, 90}, {100, 91}});
  const auto removed = run_with({{20, 21}, {40, 40}, {60, 55}});
  const auto reading = read_pair({&intact, &removed}, Point::EqualEpochs);
  EXPECT_TRUE(reading.is_defined);
  EXPECT_EQ(reading.intact_epoch, 2);
  EXPECT_EQ(reading.removed_epoch, 2);
  EXPECT_EQ(reading.intact.test_accuracy, 90);
  EXPECT_EQ(reading.removed.test_accuracy, 55);
}

TEST(PairReading, MatchedFitInterpolatesToTheLowerFinalFit) {
  const auto intact = run_with({{20, 20}, {80, 70}, {99, 90}, {100, 91}});
  const auto removed = run_with({{20, 21}, {40, 40}, {60, 55}, {50, 58}});
  const auto reading = read_pair({&intact, &removed}, Point::MatchedFit);
  EXPECT_EQ(reading.target, 50);  // the removed run's final value, which it first reaches between 1 and 2
  EXPECT_DOUBLE_EQ(reading.intact_epoch, 0.5);
  EXPECT_DOUBLE_EQ(reading.removed_epoch, 1.5);
  EXPECT_DOUBLE_EQ(reading.intact.test_accuracy, 45);
  EXPECT_DOUBLE_EQ(reading.removed.test_accuracy, 47.5);
}

TEST(PairReading, EpochsWithoutAFitArePassedOver) {
  const auto intact = run_with({{20, 20}, {kUndefined, 60}, {80, 90}});
  const auto removed = run_with({{50, 10}, {kUndefined, 20}, {50, 30}});
  const auto reading = read_pair({&intact, &removed}, Point::MatchedFit);
  EXPECT_DOUBLE_EQ(reading.intact_epoch, 1);  // half of the way from 20 to 80
  EXPECT_EQ(reading.intact.test_accuracy, 60);
  EXPECT_EQ(reading.removed_epoch, 0);
}

TEST(PairReading, WithoutCleanAccuracyNothingMatches) {
  const auto intact = run_with({{20, 20}, {80, 70}});
  const auto removed = run_with({{kUndefined, 20}, {kUndefined, 70}});
  EXPECT_FALSE(read_pair({&intact, &removed}, Point::MatchedFit).is_defined);
  EXPECT_TRUE(read_pair({&intact, &removed}, Point::EqualEpochs).is_defined);
}

TEST(PairReading, AnUndefinedNeighbourLeavesTheMetricUndefined) {
  auto run = run_with({{0, 10}, {100, 20}});
  run.epochs[0].overfit_gap = kUndefined;
  run.epochs[1].overfit_gap = 5;
  EXPECT_TRUE(std::isnan(interpolate(run.epochs, 0.5).overfit_gap));
  EXPECT_EQ(interpolate(run.epochs, 1).overfit_gap, 5);
  EXPECT_EQ(interpolate(run.epochs, 0.5).test_accuracy, 15);
}

TEST(SharedRecipe, LeavesOutWhatTwinsMayDifferIn) {
  const std::string recipe =
      "name = \"a\"\nthreads = 4\n\n[data]\ntrain = \"x\"\n\n[norm]\nlayers = \"all\"\n\n[training]\nepochs "
      "= 5\n"
      "learning_rate = 0.1\n\n[seed]\nall = 28\n\n[grid]\n\"seed.all\" = [1, 2]\n";
  EXPECT_EQ(
      shared_recipe_lines(recipe, true),
      (std::vector<std::string>{"threads = 4", "data.train = \"x\"", "training.learning_rate = 0.1", "seed.all = 28"}));
  EXPECT_EQ(shared_recipe_lines(recipe, false).back(), "training.learning_rate = 0.1");
}

class UnitsTest : public ReportFolder {};

TEST_F(UnitsTest, PairsShareSeedAndSettings) {
  auto store = make_store();
  add_synthetic_study(store);
  add_synthetic_run(store, {.selection = "all", .seed = 7});
  const auto study = load_study(store);
  EXPECT_EQ(study.name, "emotions <1 %> & \"noise\"");
  ASSERT_EQ(study.units.size(), 2u);
  const auto& unit = study.units[0];
  EXPECT_EQ(unit.title, "bert-base-uncased on emotions");
  EXPECT_EQ(unit.selections(), (std::vector<std::string>{"none", "all", "early", "middle", "later"}));
  EXPECT_EQ(unit.seeds(), (std::vector<int64_t>{7, 28, 64, 89}));
  const auto pairs = find_pairs(unit, "all");
  ASSERT_EQ(pairs.size(), 3u) << "seed 7 has no intact twin";
  for (const auto& pair : pairs) EXPECT_EQ(pair.intact->run.seed, pair.removed->run.seed);
  EXPECT_TRUE(find_pairs(unit, "none").empty());
}

TEST_F(UnitsTest, AnotherLearningRateIsAnotherUnit) {
  auto store = make_store();
  add_synthetic_run(store, {});
  auto slower = store.runs()[0];
  slower.id = "slower";
  const std::string rate = "learning_rate = 2e-05";
  slower.recipe.replace(slower.recipe.find(rate), rate.size(), "learning_rate = 1e-05");
  store.create_run(slower);
  const auto study = load_study(store);
  ASSERT_EQ(study.units.size(), 2u);
  EXPECT_EQ(study.units[0].title, "bert-base-uncased on emotions (training.learning_rate = 2e-05)");
  EXPECT_EQ(study.units[1].title, "bert-base-uncased on emotions (training.learning_rate = 1e-05)");
}

}  // namespace
}  // namespace normscope
