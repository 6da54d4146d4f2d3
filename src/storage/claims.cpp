#include "storage/claims.h"

namespace normscope {
namespace {

constexpr int64_t kStudyByte = 0;  // a run's byte is its number, from 1

std::filesystem::path lock_file(const std::filesystem::path& study_folder) { return study_folder / "normscope.lock"; }

}  // namespace

std::optional<FileLock> try_lock_study(const std::filesystem::path& study_folder) {
  return FileLock::try_lock(lock_file(study_folder), kStudyByte, FileLock::Mode::Exclusive);
}

FileLock share_study(const std::filesystem::path& study_folder) {
  return FileLock::wait(lock_file(study_folder), kStudyByte, FileLock::Mode::Shared);
}

std::optional<FileLock> claim_run(const RunStore& store, const Run& run) {
  return FileLock::try_lock(lock_file(store.folder()), run.number, FileLock::Mode::Exclusive);
}

bool is_claimed(const RunStore& store, const Run& run) {
  return FileLock::is_held(lock_file(store.folder()), run.number);
}

RunState state_now(const RunStore& store, const Run& run) {
  return run.state == RunState::Running && !is_claimed(store, run) ? RunState::Waiting : run.state;
}

}  // namespace normscope
