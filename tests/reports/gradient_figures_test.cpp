// Figures of stored gradient readings: means over seeds, their ratio, and nothing where nothing was measured.
#include "reports/gradient_figures.h"

#include <cmath>

#include "reports/drawable.h"
#include "reports/synthetic_study.h"

namespace normscope {
namespace {

class GradientFiguresTest : public ReportFolder {
 protected:
  // Layer l of seed s: learning 8 / (l + 1) + s, memorization 1 / (l + 1).
  static void add_run(RunStore& store, int64_t seed, const std::vector<int64_t>& measured) {
    SyntheticRun spec;
    spec.seed = seed;
    spec.epochs = 0;
    add_synthetic_run(store, spec);
    const std::string id = spec.model + "-none-seed" + std::to_string(seed);
    for (const int64_t epoch : {1, 2}) {
      std::vector<Reading> readings;
      for (int64_t layer = 0; layer < 3; ++layer)
        for (const char* role : {"attention", "feed_forward"}) {
          const double depth = static_cast<double>(layer + 1);
          readings.push_back({epoch, "learning", "gradient_norm", layer, role, 8 / depth + static_cast<double>(seed)});
          readings.push_back({epoch, "memorization", "gradient_norm", layer, role, 1 / depth});
        }
      EpochMetrics metrics;
      metrics.epoch = epoch;
      metrics.test_accuracy = 90;
      const bool is_measured = std::ranges::find(measured, epoch) != measured.end();
      store.add_epoch(id, metrics, is_measured ? std::span<const Reading>(readings) : std::span<const Reading>());
    }
  }
};

TEST_F(GradientFiguresTest, AreMeansOverSeedsAtTheLastEpochThatAllHave) {
  auto store = make_store();
  add_run(store, 1, {1, 2});
  add_run(store, 3, {1});
  const auto study = load_study(store);
  const auto group = gradient_figures(study.units.at(0), "1_");
  ASSERT_EQ(group.figures.size(), 3u);  // two roles over depth, one over epochs
  const auto& depth = group.figures[0];
  EXPECT_EQ(depth.name, "1_gradients_depth_attention_intact");
  EXPECT_NE(depth.title.find("epoch 1"), std::string::npos) << depth.title;
  ASSERT_EQ(depth.rows.size(), 3u);
  EXPECT_EQ(depth.rows[1], (std::vector<double>{1, 6, 0.5, 12}));
  const auto& epochs = group.figures[2];
  ASSERT_EQ(epochs.rows.size(), 2u);
  EXPECT_DOUBLE_EQ(epochs.rows[0][1], 10);
  EXPECT_DOUBLE_EQ(epochs.rows[0][2], 1);
  EXPECT_TRUE(std::isnan(epochs.rows[1][1])) << "one seed alone is no mean over seeds";
  expect_drawable(group);
}

TEST_F(GradientFiguresTest, AreNoneWithoutReadings) {
  auto store = make_store();
  add_run(store, 1, {});
  const auto study = load_study(store);
  EXPECT_TRUE(gradient_figures(study.units.at(0), "1_").figures.empty());
}

}  // namespace
}  // namespace normscope
