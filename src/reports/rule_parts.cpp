// Parts of the claims' rules.
#include "reports/rule_parts.h"

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

}  // namespace normscope
