// When a claim is supported and when it is contradicted: one small function a claim.
#include "reports/rule_parts.h"

namespace normscope {
namespace {

constexpr double kLearningMargin = 2;      // points of test accuracy
constexpr double kMemorizationMargin = 5;  // points of memorization

// The verdict of a claim that something falls below `limit`; what denies it is equivalence or a rise.
Finding judge_fall(std::span<const double> differences, double limit, double margin) {
  Finding finding = describe(differences);
  const auto same = two_one_sided_tests(differences, margin);
  const double p_fall = p_against(differences, limit);
  if (is_below(finding, limit) && same.is_equivalent) {
    decide(finding, Verdict::Undecided, p_fall, "lower, yet within the margin that counts as unchanged");
  } else if (is_below(finding, limit)) {
    decide(finding, Verdict::Supported, p_fall);
  } else if (is_above(finding, 0)) {
    decide(finding, Verdict::Contradicted, p_against(differences, 0), "higher");
  } else if (same.is_equivalent) {
    decide(finding, Verdict::Contradicted, same.p, "about unchanged");
  } else {
    decide(finding, Verdict::Undecided, p_fall);
  }
  return finding;
}

// The verdict of a claim that something stays within `margin` (or rises, when that is allowed).
Finding judge_stay(std::span<const double> differences, double margin, bool may_rise) {
  Finding finding = describe(differences);
  const auto same = two_one_sided_tests(differences, margin);
  if (same.is_equivalent) {
    decide(finding, Verdict::Supported, same.p, "about unchanged");
  } else if (may_rise && is_above(finding, 0)) {
    decide(finding, Verdict::Supported, p_against(differences, 0), "higher");
  } else if (is_below(finding, -margin)) {
    decide(finding, Verdict::Contradicted, p_against(differences, -margin), "lower");
  } else {
    decide(finding, Verdict::Undecided, same.p);
  }
  return finding;
}

}  // namespace

const char* to_text(Verdict verdict) {
  constexpr const char* kTexts[] = {"supported", "contradicted", "undecided", "undecided (too few)"};
  return kTexts[static_cast<int>(verdict)];
}

Finding judge_learning_disrupted(std::span<const double> test_accuracy) {
  return judge_fall(test_accuracy, -kLearningMargin, kLearningMargin);
}

Finding judge_memorization_kept(std::span<const double> memorization) {
  return judge_stay(memorization, kMemorizationMargin, true);
}

Finding judge_learning_kept(std::span<const double> test_accuracy) {
  return judge_stay(test_accuracy, kLearningMargin, false);
}

Finding judge_memorization_suppressed(std::span<const double> memorization) {
  return judge_fall(memorization, 0, kMemorizationMargin);
}

Finding judge_labels_recovered(std::span<const double> recovery) {
  // "Recovery higher" is "its loss falls"; the claims name no margin for recovery, so the general 2 points
  // hold.
  std::vector<double> negated(recovery.begin(), recovery.end());
  for (double& difference : negated) difference = -difference;
  Finding finding = judge_fall(negated, 0, kLearningMargin);
  finding.effect = -finding.effect;
  finding.interval = {-finding.interval.high, -finding.interval.low};
  finding.bootstrap = {-finding.bootstrap.high, -finding.bootstrap.low};
  if (finding.note == "higher") finding.note = "lower";
  if (finding.note.starts_with("lower, yet")) finding.note = "higher, yet within the margin that counts as unchanged";
  return finding;
}

Finding judge_early_matters_most(std::span<const std::vector<double>> steps) {
  return judge_all_above_zero(steps, "smallest step shown", "a step is reversed");
}

}  // namespace normscope
