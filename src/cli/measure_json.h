// The JSON document of normscope measure.
#pragma once
#include <nlohmann/json.hpp>

#include "experiments/measure.h"

namespace normscope {

// Shape: docs/measure.md.
nlohmann::ordered_json measure_json(const Measured& measured, const TheoremChecks& theorems, uint64_t seed);

// Of theorem 2 or 3 over all sets: fails where one does, else an unmet assumption where there is one.
TheoremVerdict verdict_over_sets(const TheoremChecks& theorems, int theorem);

}  // namespace normscope
