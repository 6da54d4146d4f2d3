// Who works on a study and on each of its runs: locks on bytes of normscope.lock beside the database. The database says
// how far runs are; a claim ends with its process, so that nothing has to be cleared up after one that was killed.
#pragma once
#include <optional>

#include "core/file_lock.h"
#include "storage/run_store.h"

namespace normscope {

// Shared by all who work on the study, exclusive while it is created or changed.
std::optional<FileLock> try_lock_study(const std::filesystem::path& study_folder);
FileLock share_study(const std::filesystem::path& study_folder);  // waits for who creates or changes it

// Nothing when another process trains the run.
std::optional<FileLock> claim_run(const RunStore& store, const Run& run);
bool is_claimed(const RunStore& store, const Run& run);

// A run that is stored as running and that nobody claims was left by a killed process: it waits.
RunState state_now(const RunStore& store, const Run& run);

}  // namespace normscope
