// What every claim's rule is made of.
#pragma once
#include <span>

#include "reports/verdicts.h"

namespace normscope {

// Mean, t interval and bootstrap interval of one value a seed.
Finding describe(std::span<const double> values);

// Two-sided p that the mean differs from `value`.
double p_against(std::span<const double> values, double value);

inline bool is_below(const Finding& finding, double value) { return finding.interval.high < value; }
inline bool is_above(const Finding& finding, double value) { return finding.interval.low > value; }

void decide(Finding& finding, Verdict verdict, double p, const std::string& note = "");

}  // namespace normscope
