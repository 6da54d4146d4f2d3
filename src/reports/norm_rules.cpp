// The rules of the claims about gradients, drift and placement.
#include <algorithm>
#include <cmath>

#include "reports/rule_parts.h"
#include "reports/words.h"

namespace normscope {
namespace {

constexpr double kStrongCorrelation = 0.5;
constexpr double kMostShare = 50, kLittleShare = 20;  // %
constexpr double kPlacementMargin = 2;                // points

template <typename Change>
void change_values(Finding& finding, Change&& change) {
  finding.effect = change(finding.effect);
  for (auto* interval : {&finding.interval, &finding.bootstrap})
    *interval = {change(interval->low), change(interval->high)};
}

}  // namespace

Finding judge_learning_exceeds(std::span<const std::vector<double>> log_ratios) {
  const std::string note = "smallest of " + count_words(static_cast<int64_t>(log_ratios.size()), "norm");
  Finding smallest = judge_all_above_zero(log_ratios, note, note);
  change_values(smallest, [](double value) { return std::exp(value); });
  return smallest;
}

Finding judge_more_than_loss(std::span<const std::vector<double>> log_ratios) {
  const size_t needed = log_ratios.size() / 2 + 1;  // most
  std::vector<double> p_above;
  std::vector<Finding> findings;
  for (const auto& ratios : log_ratios) {
    findings.push_back(describe(ratios));
    if (is_above(findings.back(), 0)) p_above.push_back(p_against(ratios, 0));
  }
  std::sort(p_above.begin(), p_above.end());
  std::sort(findings.begin(), findings.end(), [](const auto& a, const auto& b) { return a.effect < b.effect; });
  Finding middle = findings[(findings.size() - 1) / 2];
  const std::string note = "median norm; above 1 at " + std::to_string(p_above.size()) + " of " +
                           count_words(static_cast<int64_t>(log_ratios.size()), "norm");
  if (p_above.size() >= needed) {
    decide(middle, Verdict::Supported, p_above[needed - 1], note);  // all of those that are needed hold
  } else {
    decide(middle, Verdict::Contradicted, kUndefined, note);
  }
  change_values(middle, [](double value) { return std::exp(value); });
  return middle;
}

Finding judge_falls_with_depth(std::span<const double> correlations) {
  Finding finding = describe(correlations);
  const double p = p_against(correlations, 0);
  const bool is_clear = finding.interval.excludes(0);
  const auto verdict = is_clear && finding.effect < -kStrongCorrelation  ? Verdict::Supported
                       : is_clear && finding.effect > kStrongCorrelation ? Verdict::Contradicted
                                                                         : Verdict::Undecided;
  decide(finding, verdict, p);
  return finding;
}

Finding judge_first_block(std::span<const double> shares) {
  Finding finding = describe(shares);
  if (is_above(finding, kMostShare)) {
    decide(finding, Verdict::Supported, p_against(shares, kMostShare));
  } else if (is_below(finding, kLittleShare)) {
    decide(finding, Verdict::Contradicted, p_against(shares, kLittleShare));
  } else {
    decide(finding, Verdict::Undecided, p_against(shares, kMostShare));
  }
  return finding;
}

Finding judge_compensation(std::span<const double> log_ratios) {
  Finding finding = describe(log_ratios);
  const auto verdict = is_above(finding, 0)   ? Verdict::Supported
                       : is_below(finding, 0) ? Verdict::Contradicted
                                              : Verdict::Undecided;
  decide(finding, verdict, p_against(log_ratios, 0));
  change_values(finding, [](double value) { return 100 * std::expm1(value); });
  return finding;
}

Finding judge_placement_contrast(std::span<const double> differences) {
  Finding finding = describe(differences);
  const auto same = two_one_sided_tests(differences, kPlacementMargin);
  const double p = p_against(differences, 0);
  const bool differs = finding.interval.excludes(0);
  if (differs && same.is_equivalent) {
    decide(finding, Verdict::Undecided, p, "different, yet within the margin that counts as unchanged");
  } else if (differs) {
    decide(finding, Verdict::Supported, p);
  } else if (same.is_equivalent) {
    decide(finding, Verdict::Contradicted, same.p, "about unchanged");
  } else {
    decide(finding, Verdict::Undecided, p);
  }
  return finding;
}

}  // namespace normscope
