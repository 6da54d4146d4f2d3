// The rate that validation chooses for each selection, and what is said of it.
#include "reports/chosen_rates.h"

#include "reports/synthetic_study.h"

namespace normscope {
namespace {

class ChosenRatesTest : public ReportFolder {
 protected:
  static void add_run(RunStore& store, const std::string& rate, const std::string& selection, int64_t seed,
                      double validation, double test, double memorization) {
    SyntheticRun spec;
    spec.selection = selection;
    spec.seed = seed;
    normscope::Run run;
    run.id = run.name = selection + rate + std::to_string(seed);
    run.epochs = 1;
    run.seed = seed;
    run.model = spec.model;
    run.placement = spec.placement;
    run.norm_selection = selection;
    run.recipe = recipe_of(spec);
    run.recipe.replace(run.recipe.find("2e-05"), 5, rate);
    run.facts.dataset = "emotions";
    store.create_run(run);
    EpochMetrics metrics;
    metrics.epoch = 1;
    metrics.validation_accuracy = validation;
    metrics.test_accuracy = test;
    metrics.memorization = memorization;
    store.add_epoch(run.id, metrics);
    store.set_state(run.id, RunState::Done);
  }
};

TEST_F(ChosenRatesTest, EverySelectionHasItsOwnAndTestRowsHaveNoSay) {
  auto store = make_store();
  for (const int64_t seed : {1, 2}) {
    const auto s = static_cast<double>(seed);
    add_run(store, "1e-05", "none", seed, 80 + s, 95, 10);
    add_run(store, "2e-05", "none", seed, 90 + s, 85 + s, 50);
    add_run(store, "1e-05", "all", seed, 70 + s, 75 + s, 20 + s);
    add_run(store, "2e-05", "all", seed, 60 + s, 99, 90);
  }
  const auto table = chosen_rates_table(load_study(store));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][1].text, "intact");
  EXPECT_EQ(table.rows[0][2].text, "2e-05");
  EXPECT_EQ(table.rows[0][3].text, "2e-05: 91.5, 1e-05: 81.5");
  EXPECT_EQ(table.rows[0][4].text, "86.5");
  EXPECT_EQ(table.rows[1][2].text, "1e-05");
  EXPECT_EQ(table.rows[1][7].text, "−10.0") << "76.5 against 86.5, each at its own rate";
  EXPECT_EQ(table.rows[1][8].text, "−28.5");
}

TEST_F(ChosenRatesTest, NothingIsChosenFromOneRateOrWithoutValidation) {
  auto store = make_store();
  add_run(store, "1e-05", "none", 1, 80, 95, 10);
  add_run(store, "2e-05", "none", 1, kUndefined, 95, 10);
  add_run(store, "1e-05", "all", 1, 80, 95, 10);
  EXPECT_TRUE(chosen_rates_table(load_study(store)).rows.empty());
}

}  // namespace
}  // namespace normscope
