// What every claim's rule is made of.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "reports/verdicts.h"

namespace normscope {

// Mean, t interval and bootstrap interval of one value a seed.
Finding describe(std::span<const double> values);

// Two-sided p that the mean differs from `value`.
double p_against(std::span<const double> values, double value);

inline bool is_below(const Finding& finding, double value) { return finding.interval.high < value; }
inline bool is_above(const Finding& finding, double value) { return finding.interval.low > value; }

// The smallest of several quantities, supported when each is above 0, contradicted when one is below it (its p counts
// how many there are). The notes say what the finding is of.
Finding judge_all_above_zero(std::span<const std::vector<double>> quantities, const std::string& note,
                             const std::string& note_when_below);

void decide(Finding& finding, Verdict verdict, double p, const std::string& note = "");

}  // namespace normscope
