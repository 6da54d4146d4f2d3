// A recipe and its grid as a study on disk: created once, run after run, resumable at any step.
#pragma once
#include <filesystem>
#include <functional>

#include "experiments/progress.h"
#include "recipe/recipe.h"

namespace normscope {

enum class Fresh { No, RefuseExisting, Replace };

struct StudyOptions {
  std::filesystem::path folder;
  Fresh fresh = Fresh::No;
  std::function<bool()> should_stop = [] { return false; };  // asked after every update
};

enum class StudyOutcome { Done, Stopped, SomeFailed };

// Runs what is not done yet, in the grid's order. A run that diverges is kept with its error and the next one
// starts; other errors end the study. Throws Error(Usage) when the folder holds something else.
StudyOutcome run_study(const Recipe& recipe, const StudyOptions& options, Progress& progress);

}  // namespace normscope
