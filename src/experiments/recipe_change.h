// What a changed recipe makes of a study: runs that it has no longer are dropped, new ones wait, the others stay.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "recipe/recipe.h"
#include "storage/run_store.h"

namespace normscope {

// By what runs are, not by what they are called: a new axis of the grid renames runs and trains none again.
struct RecipeChange {
  std::vector<RunStore::Place> places;  // of every run that is stored
  std::vector<Run> added;
  int64_t kept = 0, dropped = 0, taken_back = 0;
};

RecipeChange plan_change(const RunStore& store, const std::vector<RunRecipe>& runs);

// "the recipe has changed: 2 runs are new, 1 is dropped (..), 3 are as before".
std::string to_text(const RecipeChange& change);

// A run that has not begun.
Run waiting_run(const RunRecipe& run);

// Stores the change and moves the runs' folders to their ids; what is dropped keeps its readings and its folder, whose
// name ends in "~" and a hash. Throws Error(Usage) when the recipe is another one (its name), or changes what is fixed.
void change_recipe(RunStore& store, const Recipe& recipe, const RecipeChange& change);

// Ends a move of folders that was interrupted.
void finish_change(const RunStore& store);

}  // namespace normscope
