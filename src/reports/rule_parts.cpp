// Parts of the claims' rules.
#include "reports/rule_parts.h"

#include <algorithm>
#include <cmath>

namespace normscope {

Finding describe(std::span<const double> values) {
  Finding finding;
  finding.effect = mean(values);
  finding.interval = t_interval(values);
  RandomStream random(0, "bootstrap");
  finding.bootstrap = bootstrap_mean(values, random);
  return finding;
}

double p_against(std::span<const double> values, double value) {
  std::vector<double> shifted(values.begin(), values.end());
  for (double& shift : shifted) shift -= value;
  return paired_t_test(shifted).p;
}

void decide(Finding& finding, Verdict verdict, double p, const std::string& note) {
  finding.verdict = verdict;
  finding.p = p;
  finding.note = note;
}

Finding judge_all_above_zero(std::span<const std::vector<double>> quantities, const std::string& note,
                             const std::string& note_when_below) {
  Finding smallest;
  bool all_above = true, any_below = false;
  double p_all = 0, p_any = 1;
  for (const auto& values : quantities) {
    const Finding finding = describe(values);
    const double p = p_against(values, 0);
    all_above = all_above && is_above(finding, 0);
    p_all = std::max(p_all, p);
    if (is_below(finding, 0)) {
      any_below = true;
      p_any = std::min(p_any, p * static_cast<double>(quantities.size()));  // one of several suffices
    }
    if (std::isnan(smallest.effect) || finding.effect < smallest.effect) smallest = finding;
  }
  if (all_above) {
    decide(smallest, Verdict::Supported, p_all, note);
  } else if (any_below) {
    decide(smallest, Verdict::Contradicted, std::min(1.0, p_any), note_when_below);
  } else {
    decide(smallest, Verdict::Undecided, p_all, note);
  }
  return smallest;
}

}  // namespace normscope
