// The memorization table of runs whose curves are worked by hand.
#include "reports/memorization_table.h"

#include "reports/synthetic_study.h"

namespace normscope {
namespace {

class MemorizationTableTest : public ReportFolder {};

TEST_F(MemorizationTableTest, ReadsTimesPeaksAndMatchedFit) {
  auto store = make_store();
  SyntheticRun spec;
  spec.epochs = 0;
  add_synthetic_run(store, spec);
  const std::string id = spec.model + "-none-seed28";
  struct Row {
    double memorization, recovery, clean, loss;
  };
  const Row rows[] = {{0, 20, 30, 1.0}, {10, 80, 90, 0.4}, {70, 20, 100, 0.1}};
  for (int64_t epoch = 0; epoch < 3; ++epoch) {
    EpochMetrics metrics;
    metrics.epoch = epoch;
    metrics.memorization = rows[epoch].memorization;
    metrics.recovery = rows[epoch].recovery;
    metrics.train_clean_accuracy = rows[epoch].clean;
    if (epoch > 0) metrics.train_loss = rows[epoch].loss;
    store.add_epoch(id, metrics);
  }
  const auto study = load_study(store);
  const auto table = memorization_table(study.units.at(0));
  ASSERT_EQ(table.rows.size(), 1u);
  const auto& cells = table.rows[0];
  EXPECT_EQ(cells[2].text, "1.7");  // 40 of the 60 points from 10 to 70
  EXPECT_EQ(cells[3].text, "not reached");
  EXPECT_EQ(cells[4].text + ", " + cells[4].detail, "80.0, epoch 1");
  EXPECT_EQ(cells[5].text + ", " + cells[5].detail, "50.0, area 100");
  EXPECT_EQ(cells[6].text + ", " + cells[6].detail, "40.0 / 50.0, epoch 1.5");
  EXPECT_EQ(cells[7].text + ", " + cells[7].detail, "50.0 / 40.0, epoch 1.7");
}

TEST_F(MemorizationTableTest, HasNoRowsWithoutNoise) {
  auto store = make_store();
  add_synthetic_run(store, {.epochs = 2, .noisy_rows = 0});
  const auto study = load_study(store);
  EXPECT_TRUE(memorization_table(study.units.at(0)).rows.empty());
}

}  // namespace
}  // namespace normscope
