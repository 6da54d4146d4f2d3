// Which runs are controls of a removal, when one reaches it, and the sentence that it takes back.
#include "reports/controls.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "reports/report.h"
#include "reports/synthetic_study.h"

namespace normscope {
namespace {

class ControlsTest : public ReportFolder {
 protected:
  // A run whose recipe gets or changes one line: `key` of [training], or of [model].
  static void add(RunStore& store, const std::string& name, const std::string& selection, int64_t seed, double slowness,
                  double learning, const std::string& section = "", const std::string& line = "",
                  int64_t noisy_rows = 60) {
    SyntheticRun spec{"bert-base-uncased", "post_norm", selection, seed, 20, learning, slowness, noisy_rows};
    normscope::Run run;
    run.id = name + std::to_string(seed);
    run.epochs = spec.epochs;
    run.seed = seed;
    run.model = spec.model;
    run.placement = spec.placement;
    run.norm_selection = selection;
    run.recipe = recipe_of(spec);
    if (!section.empty()) {
      if (const auto old = run.recipe.find(line.substr(0, line.find(" =")) + " ="); old != std::string::npos)
        run.recipe.erase(old, run.recipe.find('\n', old) + 1 - old);
      run.recipe.insert(run.recipe.find("[" + section + "]\n") + section.size() + 3, line + "\n");
    }
    run.facts.dataset = "emotions";
    run.facts.noisy_rows = noisy_rows;
    store.create_run(run);
    RandomStream random(static_cast<uint64_t>(seed), name);
    for (int64_t epoch = 1; epoch <= spec.epochs; ++epoch) {
      auto metrics = synthetic_epoch(spec, epoch, random);
      const double time = static_cast<double>(epoch) / slowness;
      metrics.memorization = std::min(100.0, 5 * time) + random.uniform();
      metrics.recovery = 50;
      store.add_epoch(run.id, metrics, {}, {});
    }
    store.set_state(run.id, RunState::Running);
    store.set_state(run.id, RunState::Done);
  }
  // Removal memorizes a quarter; so do the controls, where they are slow enough.
  static void add_study(RunStore& store, int64_t noisy_rows = 60) {
    for (const int64_t seed : {28, 64, 89}) {
      const auto with = [&](const std::string& name, const std::string& selection, double slowness, double learning,
                            const std::string& section = "", const std::string& line = "") {
        add(store, name, selection, seed, slowness, learning, section, line, noisy_rows);
      };
      with("intact", "none", 1, 92);
      with("removed", "all", 4, 91.8);
      with("reset", "all: reset", 4, 92);
      with("frozen", "all: frozen", 1, 92);
      with("slower", "none", 4, 92, "training", "learning_rate = 5e-06");
      with("faster", "none", 4, 92, "training", "learning_rate = 5e-05");
      with("stopped", "none", 4, 80, "training", "stop_when = \"validation_loss\"");
      with("dry", "none", 4.1, 92, "model", "dropout = 0.0");
      with("two", "none", 4, 92, "training", "learning_rate = 5e-06\nschedule = \"linear\"");
    }
  }
};

const ControlVerdict* find(const std::vector<ControlVerdict>& controls, const std::string& words) {
  for (const auto& control : controls)
    if (control.control == words) return &control;
  return nullptr;
}

TEST_F(ControlsTest, AreRunsThatDifferInOneThingAndReachWhenBothTestsHold) {
  auto store = make_store();
  add_study(store);
  const auto study = load_study(store);
  const auto controls = judge_controls(study);
  EXPECT_EQ(controls.size(), 5u) << "a faster run and one with two differences are no controls";
  ASSERT_NE(find(controls, "all reset"), nullptr);
  EXPECT_TRUE(find(controls, "all reset")->is_reached);
  ASSERT_NE(find(controls, "all frozen"), nullptr);
  EXPECT_FALSE(find(controls, "all frozen")->is_reached) << "it memorizes everything";
  ASSERT_NE(find(controls, "intact, learning rate 5e-06"), nullptr);
  EXPECT_TRUE(find(controls, "intact, learning rate 5e-06")->is_reached);
  EXPECT_NEAR(find(controls, "intact, learning rate 5e-06")->more_memorized, 0, 1);
  EXPECT_NEAR(find(controls, "intact, learning rate 5e-06")->fit,
              find(controls, "intact, learning rate 5e-06")->removed_fit, 1)
      << "as slow as the removed runs";
  ASSERT_NE(find(controls, "intact, stopped by validation loss"), nullptr);
  EXPECT_FALSE(find(controls, "intact, stopped by validation loss")->is_reached) << "it is less accurate";
  ASSERT_NE(find(controls, "intact, dropout 0.0"), nullptr);
  size_t only = 0;
  for (const auto& unit : study.units) only += is_control_only(study, unit);
  EXPECT_EQ(only, 3u);
}

TEST_F(ControlsTest, ASupportedClaimIsTakenBackByOne) {
  auto store = make_store();
  add_study(store);
  const auto study = load_study(store);
  auto verdicts = judge(study);
  const auto controls = judge_controls(study);
  const std::string taken_back = control_sentence(verdicts, controls);
  EXPECT_NE(taken_back.find("removal slows learning as much as it slows memorization"), std::string::npos)
      << taken_back;
  EXPECT_NE(taken_back.find("intact, learning rate 5e-06"), std::string::npos) << taken_back;
  auto others = controls;
  for (auto& control : others) control.is_reached = false;
  const auto set_matched = [&](Verdict found) {
    for (auto& verdict : verdicts)
      if (verdict.claim.id == "C2b" && verdict.point == Point::MatchedFit) verdict.verdict = found;
  };
  set_matched(Verdict::Supported);
  EXPECT_NE(control_sentence(verdicts, others).find("removal suppresses memorization: none of 5 controls"),
            std::string::npos)
      << control_sentence(verdicts, others);
  set_matched(Verdict::Contradicted);
  EXPECT_EQ(control_sentence(verdicts, others).find("suppresses"), std::string::npos) << "only at equal epochs";
  EXPECT_NE(control_sentence(verdicts, others).find("at matched fit that it is lower is not shown"), std::string::npos);
  for (auto& verdict : verdicts) verdict.verdict = Verdict::Undecided;
  EXPECT_EQ(control_sentence(verdicts, controls), "") << "nothing is claimed";
  write_report(store, folder_ / "report.html", {.gnuplot = "no-such-gnuplot"});
  const auto html = read_file(folder_ / "report.html", ErrorKind::Run);
  EXPECT_NE(html.find("removal slows learning as much as it slows memorization"), std::string::npos);
  EXPECT_NE(html.find("more memorized than removed"), std::string::npos);
}

TEST_F(ControlsTest, FewNoisyRowsReachNothing) {
  auto store = make_store();
  add_study(store, 24);
  for (const auto& control : judge_controls(load_study(store))) {
    EXPECT_FALSE(control.has_enough);
    EXPECT_FALSE(control.is_reached);
  }
}

}  // namespace
}  // namespace normscope
