#include "experiments/cache_file.h"

#include "core/error.h"
#include "core/file_lock.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path, std::optional<size_t> size) {
  std::error_code absent;
  const auto bytes = fs::file_size(path, absent);
  return !absent && (!size || bytes == *size);
}

}  // namespace

void make_cache_file(const fs::path& path, std::optional<size_t> size, const std::function<void(AtomicFile&)>& write) {
  if (is_there(path, size)) return;
  const auto folder = path.parent_path();
  std::error_code error;
  fs::create_directories(folder, error);
  require(!error, ErrorKind::Run, folder.string(), ": cannot be created: ", error.message());
  const auto lock = FileLock::wait(folder / "lock", 0, FileLock::Mode::Exclusive);
  if (is_there(path, size)) return;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().find(".partial-") != std::string::npos) fs::remove(entry.path());
  AtomicFile file(path);
  write(file);
  file.commit();
}

}  // namespace normscope
