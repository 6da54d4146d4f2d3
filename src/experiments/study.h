// A recipe and its grid as a study on disk: created once, its runs trained one after another or several at once,
// resumable at any step.
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
  int64_t jobs = 1;             // runs at once; 0: as many as there are cores and memory for
  bool retries_failed = false;  // runs that failed earlier wait again
  // This program's arguments that make it a worker (see work()); needed for more than one job.
  std::vector<std::string> worker_command;
};

enum class StudyOutcome { Done, Stopped, SomeFailed };

// Trains what is not done yet, in the grid's order. A run that diverges is kept with its error; one that its
// surroundings interrupt (memory, disk, a kill) keeps its state and is tried a second time after the others. An error
// of recipe, data or checkpoint ends the study and is thrown. Several processes may run one study: none trains what
// another one has, and each returns when all runs are over. Throws Error(Usage) when the folder holds something else.
StudyOutcome run_study(const Recipe& recipe, const StudyOptions& options, Progress& progress);

}  // namespace normscope
