// The combinations of a recipe's grid.
#pragma once
#include "recipe/recipe.h"

namespace normscope {

// Expands every combination and checks it. Throws Error(Usage) naming the first combination that is refused.
void check_grid(const Recipe& recipe);

// The part of a run's id that says one value of one axis: "seed28", "all", "rate0.05".
std::string axis_label(const std::string& key, const std::string& value_toml);

}  // namespace normscope
