// Figures of the gradients that training recorded: noisy and other rows apart, w only where there is one.
#include "reports/training_gradient_figures.h"

#include <cmath>

#include "reports/drawable.h"
#include "reports/synthetic_study.h"

namespace normscope {
namespace {

class TrainingGradientFiguresTest : public ReportFolder {
 protected:
  // Layer l at epoch e: noisy 10^-(l + e), clean a hundredth of it, w of layers from `first_with_weight`.
  static void add_run(RunStore& store, const std::string& selection, int64_t first_with_weight) {
    SyntheticRun spec;
    spec.selection = selection;
    spec.epochs = 0;
    add_synthetic_run(store, spec);
    for (const int64_t epoch : {1, 2}) {
      std::vector<Reading> readings;
      for (int64_t layer = 0; layer < 3; ++layer) {
        const double noisy = std::pow(10.0, -static_cast<double>(layer + epoch));
        readings.push_back({epoch, "memorization", "training_gradient_norm", layer, "attention", noisy});
        readings.push_back({epoch, "train_clean", "training_gradient_norm", layer, "attention", noisy / 100});
        if (layer >= first_with_weight)
          readings.push_back({epoch, "train", "training_gradient_weight", layer, "attention", 0.5});
      }
      EpochMetrics metrics;
      metrics.epoch = epoch;
      metrics.test_accuracy = 90;
      store.add_epoch(spec.model + "-" + selection + "-seed" + std::to_string(spec.seed), metrics, readings);
    }
  }
};

TEST_F(TrainingGradientFiguresTest, ShowNoisyAndOtherRowsAndW) {
  auto store = make_store();
  add_run(store, "none", 0);
  add_run(store, "all", 3);
  const auto study = load_study(store);
  const auto group = training_gradient_figures(study.units.at(0), "1_");
  std::vector<std::string> names;
  for (const auto& figure : group.figures) names.push_back(figure.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"1_training_gradients_noisy_depth", "1_training_gradients_clean_depth",
                                      "1_training_gradients_weight_depth", "1_training_gradients_noisy_epochs_intact",
                                      "1_training_gradients_noisy_epochs_all_removed"}));
  const auto& noisy = group.figures[0];
  EXPECT_NEAR(noisy.rows[1][1], 1e-3, 1e-15);  // layer 1 at epoch 2
  EXPECT_NEAR(group.figures[1].rows[1][1], 1e-5, 1e-17);
  EXPECT_EQ(group.figures[2].columns.size(), 4u) << "without w there is no line";
  expect_drawable(group);
}

TEST_F(TrainingGradientFiguresTest, AreNoneWithoutReadings) {
  auto store = make_store();
  SyntheticRun spec;
  add_synthetic_run(store, spec);
  const auto study = load_study(store);
  EXPECT_TRUE(training_gradient_figures(study.units.at(0), "1_").figures.empty());
}

}  // namespace
}  // namespace normscope
