// Whether the keys of one run agree with each other.
#pragma once
#include "recipe/recipe.h"

namespace normscope {

// Throws Error(Usage) naming both keys and the line of one. Not for a recipe whose grid is still to expand.
void check_consistency(const Recipe& recipe);

// "file:line" of a key, "--set" when it came from the command line, the file alone when it was not given.
std::string key_place(const RecipeSource& source, const std::string& key);

}  // namespace normscope
