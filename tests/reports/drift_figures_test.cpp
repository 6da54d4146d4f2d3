// Figures of norm drift: means over seeds, only of norms that are there, and none without readings.
#include "reports/drift_figures.h"

#include <cmath>

#include "reports/drawable.h"
#include "reports/synthetic_study.h"

namespace normscope {
namespace {

class DriftFiguresTest : public ReportFolder {
 protected:
  // Layer l at epoch e of seed s: attention (l + 1) * e + s, feed-forward twice that, embedding e.
  static void add_run(RunStore& store, int64_t seed, const std::string& selection, int64_t first_layer) {
    SyntheticRun spec;
    spec.seed = seed;
    spec.selection = selection;
    spec.epochs = 0;
    add_synthetic_run(store, spec);
    for (const int64_t epoch : {1, 2}) {
      std::vector<Reading> readings;
      const auto e = static_cast<double>(epoch);
      if (first_layer == 0) readings.push_back({epoch, "train", "weight_drift", std::nullopt, "embedding", e});
      for (int64_t layer = first_layer; layer < 3; ++layer) {
        const double value = static_cast<double>(layer + 1) * e + static_cast<double>(seed);
        readings.push_back({epoch, "train", "weight_drift", layer, "attention", value});
        readings.push_back({epoch, "train", "weight_drift", layer, "feed_forward", 2 * value});
        readings.push_back({epoch, "train", "bias_drift", layer, "attention", 1000});
      }
      EpochMetrics metrics;
      metrics.epoch = epoch;
      metrics.test_accuracy = 90;
      store.add_epoch(spec.model + "-" + selection + "-seed" + std::to_string(seed), metrics, readings);
    }
  }
};

TEST_F(DriftFiguresTest, ShowEveryRemainingNorm) {
  auto store = make_store();
  add_run(store, 1, "none", 0);
  add_run(store, 3, "none", 0);
  add_run(store, 1, "early", 1);
  add_run(store, 1, "all", 3);
  const auto study = load_study(store);
  const auto group = drift_figures(study.units.at(0), "1_");
  ASSERT_EQ(group.figures.size(), 3u);  // one over depth, epochs of intact and early; all has no norm left
  const auto& depth = group.figures[0];
  EXPECT_EQ(depth.name, "1_drift_depth");
  EXPECT_EQ(depth.columns,
            (std::vector<std::string>{"layer", "intact attention", "intact feed_forward", "intact embedding or final",
                                      "early removed attention", "early removed feed_forward",
                                      "early removed embedding or final"}));
  ASSERT_EQ(depth.rows.size(), 5u);  // embedding, three layers, final
  EXPECT_EQ(depth.rows[0][0], -1);
  EXPECT_EQ(depth.rows[0][3], 2);
  EXPECT_TRUE(std::isnan(depth.rows[0][1])) << "an embedding norm has no attention";
  EXPECT_EQ(depth.rows[1][1], 4);  // 1 * 2 + mean of 1 and 3
  EXPECT_EQ(depth.rows[1][2], 8);
  EXPECT_TRUE(std::isnan(depth.rows[1][4])) << "the early layer has no weight left";
  EXPECT_EQ(depth.rows[2][4], 5);
  EXPECT_TRUE(std::isnan(depth.rows[4][3])) << "there is no final norm";
  const auto& epochs = group.figures[1];
  EXPECT_EQ(epochs.name, "1_drift_epochs_intact");
  EXPECT_EQ(epochs.columns.size(), 1u + 1 + 6);
  ASSERT_EQ(epochs.rows.size(), 2u);
  EXPECT_EQ(epochs.rows[0], (std::vector<double>{1, 1, 3, 6, 4, 8, 5, 10}));
  EXPECT_EQ(group.figures[2].columns, (std::vector<std::string>{"epoch", "attention layer 1", "feed_forward layer 1",
                                                                "attention layer 2", "feed_forward layer 2"}));
  EXPECT_EQ(figure_csv(epochs).substr(0, 38), "epoch,embedding,attention layer 0,feed");
  expect_drawable(group);
}

TEST_F(DriftFiguresTest, AreNoneWithoutReadings) {
  auto store = make_store();
  add_run(store, 1, "all", 3);
  const auto study = load_study(store);
  EXPECT_TRUE(drift_figures(study.units.at(0), "1_").figures.empty());
}

}  // namespace
}  // namespace normscope
