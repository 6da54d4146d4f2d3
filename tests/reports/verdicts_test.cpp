// Each claim's rule at its thresholds, the minimum of seeds and rows, and Holm's correction.
#include "reports/verdicts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reports/synthetic_study.h"

namespace normscope {
namespace {

using Values = std::vector<double>;

// Four differences with a given mean and a t interval of +-reach.
Values around(double mean_difference, double reach) {
  const double step = reach / t_interval(Values{-1, 1, -1, 1}).high;
  return {mean_difference - step, mean_difference + step, mean_difference - step, mean_difference + step};
}

TEST(ClaimRules, LearningIsDisruptedBeyondTwoPoints) {
  EXPECT_EQ(judge_learning_disrupted(around(-5, 2.9)).verdict, Verdict::Supported);
  EXPECT_EQ(judge_learning_disrupted(around(-5, 3.1)).verdict, Verdict::Undecided) << "the interval reaches -2";
  EXPECT_EQ(judge_learning_disrupted(around(-0.5, 0.9)).verdict, Verdict::Contradicted) << "equivalent";
  EXPECT_EQ(judge_learning_disrupted(around(4, 3.9)).verdict, Verdict::Contradicted) << "higher";
  EXPECT_EQ(judge_learning_disrupted(around(1, 4)).verdict, Verdict::Undecided);
}

TEST(ClaimRules, MemorizationIsKeptWithinFivePointsOrHigher) {
  EXPECT_EQ(judge_memorization_kept(around(-3, 2)).verdict, Verdict::Supported);
  EXPECT_EQ(judge_memorization_kept(around(20, 15)).verdict, Verdict::Supported);
  EXPECT_EQ(judge_memorization_kept(around(-30, 24)).verdict, Verdict::Contradicted);
  EXPECT_EQ(judge_memorization_kept(around(-30, 26)).verdict, Verdict::Undecided);
}

TEST(ClaimRules, LearningStaysWithinTwoPoints) {
  EXPECT_EQ(judge_learning_kept(around(-0.5, 1)).verdict, Verdict::Supported);
  EXPECT_EQ(judge_learning_kept(around(-4, 1.9)).verdict, Verdict::Contradicted);
  EXPECT_EQ(judge_learning_kept(around(-1, 3)).verdict, Verdict::Undecided);
  EXPECT_EQ(judge_learning_kept(around(10, 1)).verdict, Verdict::Undecided) << "better is not unchanged";
}

TEST(ClaimRules, MemorizationIsSuppressed) {
  EXPECT_EQ(judge_memorization_suppressed(around(-40, 39)).verdict, Verdict::Supported);
  EXPECT_EQ(judge_memorization_suppressed(around(-40, 41)).verdict, Verdict::Undecided);
  EXPECT_EQ(judge_memorization_suppressed(around(0.5, 2)).verdict, Verdict::Contradicted);
  EXPECT_EQ(judge_memorization_suppressed(around(30, 10)).verdict, Verdict::Contradicted);
  const auto small = judge_memorization_suppressed(around(-2, 1));
  EXPECT_EQ(small.verdict, Verdict::Undecided) << "both rules hold";
  EXPECT_EQ(small.note, "lower, yet within the margin that counts as unchanged");
}

TEST(ClaimRules, LabelsAreRecovered) {
  const auto found = judge_labels_recovered(around(60, 20));
  EXPECT_EQ(found.verdict, Verdict::Supported);
  EXPECT_NEAR(found.effect, 60, 1e-9);
  EXPECT_NEAR(found.interval.low, 40, 1e-9);
  EXPECT_NEAR(found.interval.high, 80, 1e-9);
  EXPECT_LE(found.bootstrap.low, found.bootstrap.high);
  const auto lower = judge_labels_recovered(around(-60, 20));
  EXPECT_EQ(lower.verdict, Verdict::Contradicted);
  EXPECT_EQ(lower.note, "lower");
  EXPECT_EQ(judge_labels_recovered(around(0, 1)).verdict, Verdict::Contradicted);
}

TEST(ClaimRules, EarlyNormsMatterMostNeedsEveryStep) {
  const Values clear = around(10, 5), faint = around(3, 5), reversed = around(-10, 5);
  EXPECT_EQ(judge_early_matters_most(std::vector<Values>{clear, clear, clear, clear}).verdict, Verdict::Supported);
  EXPECT_EQ(judge_early_matters_most(std::vector<Values>{clear, faint, clear, clear}).verdict, Verdict::Undecided);
  const auto found = judge_early_matters_most(std::vector<Values>{clear, faint, reversed, clear});
  EXPECT_EQ(found.verdict, Verdict::Contradicted);
  EXPECT_NEAR(found.effect, -10, 1e-9);
  EXPECT_NEAR(found.p, 4 * paired_t_test(reversed).p, 1e-12) << "one of four steps sufficed";
}

class JudgeTest : public ReportFolder {};

const ClaimVerdict& find(const std::vector<ClaimVerdict>& verdicts, const std::string& id, Point point) {
  for (const auto& verdict : verdicts)
    if (verdict.claim.id == id && verdict.point == point) return verdict;
  throw std::runtime_error("no verdict " + id);
}

TEST_F(JudgeTest, SyntheticStudyIsJudgedAsItWasMade) {
  auto store = make_store();
  add_synthetic_study(store);
  const auto verdicts = judge(load_study(store));
  ASSERT_EQ(verdicts.size(), 12u);  // C2, C2b, C2c, C3 and C1, C1b, at two points each
  EXPECT_EQ(find(verdicts, "C2b", Point::EqualEpochs).verdict, Verdict::Supported);
  EXPECT_EQ(find(verdicts, "C2b", Point::MatchedFit).verdict, Verdict::Contradicted)
      << "the study's removal slows everything alike";
  EXPECT_EQ(find(verdicts, "C1", Point::EqualEpochs).verdict, Verdict::Supported);
  for (const auto& verdict : verdicts) {
    EXPECT_EQ(verdict.seeds, 3);
    EXPECT_EQ(verdict.noisy_rows, 60);
    EXPECT_GE(verdict.p_holm, verdict.finding.p);
    EXPECT_TRUE(verdict.verdict != Verdict::Supported || verdict.p_holm < 0.05);
  }
  std::vector<double> p;
  for (const auto& verdict : verdicts) p.push_back(verdict.finding.p);
  EXPECT_EQ(holm(p)[0], verdicts[0].p_holm);
}

TEST_F(JudgeTest, FewSeedsDecideNothing) {
  auto store = make_store();
  for (const int64_t seed : {28, 64})
    for (const char* selection : {"none", "all"})
      add_synthetic_run(store, {.selection = selection, .seed = seed, .slowness = selection[0] == 'a' ? 4.0 : 1.0});
  for (const auto& verdict : judge(load_study(store))) {
    EXPECT_EQ(verdict.verdict, Verdict::TooFew);
    EXPECT_STREQ(to_text(verdict.verdict), "undecided (too few)");
    EXPECT_TRUE(std::isnan(verdict.p_holm));
  }
}

TEST_F(JudgeTest, FewNoisyRowsDecideNothingAboutThem) {
  auto store = make_store();
  for (const int64_t seed : {28, 64, 89})
    for (const char* selection : {"none", "all"})
      add_synthetic_run(store, {.selection = selection, .seed = seed, .noisy_rows = 24});
  const auto verdicts = judge(load_study(store));
  EXPECT_EQ(find(verdicts, "C2b", Point::EqualEpochs).verdict, Verdict::TooFew);
  EXPECT_EQ(find(verdicts, "C2c", Point::MatchedFit).verdict, Verdict::TooFew);
  EXPECT_NE(find(verdicts, "C2", Point::EqualEpochs).verdict, Verdict::TooFew);
}

TEST_F(JudgeTest, RunsThatAreNotDoneAreNotJudged) {
  auto store = make_store();
  add_synthetic_run(store, {});
  add_synthetic_run(store, {.selection = "all", .state = RunState::Running});
  EXPECT_TRUE(judge(load_study(store)).empty());
}

}  // namespace
}  // namespace normscope
