// A study opened to be worked on: its folder, lock, database and runs.
#pragma once
#include "core/file_lock.h"
#include "experiments/run_item.h"
#include "experiments/study.h"
#include "storage/run_store.h"

namespace normscope {

struct StudySession {
  std::filesystem::path folder;
  FileLock lock;  // shared with others that work on the same study
  RunStore store;
  Study study;
  std::vector<RunRecipe> runs;
  std::string note;  // for the user, or ""
};

// Creates the study when there is none. Throws Error(Usage) when the folder holds something else, and when the study
// must change while another process works on it.
StudySession open_session(const Recipe& recipe, const StudyOptions& options);

// For a worker: the study is there and its recipe is this one.
StudySession join_session(const Recipe& recipe, const std::filesystem::path& folder);

// What the runs of the session are trained with, in this process.
RunContext run_context(StudySession& session, DataCache& cache, Progress& progress,
                       const std::function<bool()>& should_stop);

}  // namespace normscope
