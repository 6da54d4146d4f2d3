// The JSON document of normscope measure.
#pragma once
#include <nlohmann/json.hpp>

#include "experiments/measure.h"

namespace normscope {

// Shape: docs/measure.md.
nlohmann::ordered_json measure_json(const Measured& measured, const TheoremChecks& theorems, uint64_t seed);

}  // namespace normscope
