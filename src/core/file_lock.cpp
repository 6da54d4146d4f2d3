#include "core/file_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"

namespace normscope {
namespace {

struct flock one_byte(int64_t byte, FileLock::Mode mode) {
  struct flock range {};
  range.l_type = mode == FileLock::Mode::Shared ? F_RDLCK : F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = byte;
  range.l_len = 1;
  return range;
}

int open_lock_file(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  require(descriptor >= 0, ErrorKind::Run, file.string(), ": cannot be written: ", std::strerror(errno));
  return descriptor;
}

}  // namespace

FileLock::FileLock(std::filesystem::path file, int64_t byte, int descriptor)
    : file_(std::move(file)), byte_(byte), descriptor_(descriptor) {}

FileLock::FileLock(FileLock&& other) noexcept
    : file_(std::move(other.file_)), byte_(other.byte_), descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  FileLock taken(std::move(other));
  std::swap(file_, taken.file_);
  std::swap(byte_, taken.byte_);
  std::swap(descriptor_, taken.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool FileLock::set(Mode mode, bool waits) const {
  auto range = one_byte(byte_, mode);
  int result = 0;
  do {
    result = ::fcntl(descriptor_, waits ? F_OFD_SETLKW : F_OFD_SETLK, &range);
  } while (result != 0 && errno == EINTR);
  if (result != 0 && (errno == EAGAIN || errno == EACCES)) return false;
  require(result == 0, ErrorKind::Run, file_.string(), ": cannot be locked: ", std::strerror(errno));
  return true;
}

std::optional<FileLock> FileLock::try_lock(const std::filesystem::path& file, int64_t byte, Mode mode) {
  FileLock lock(file, byte, open_lock_file(file));
  if (!lock.set(mode, /*waits=*/false)) return std::nullopt;
  return lock;
}

FileLock FileLock::wait(const std::filesystem::path& file, int64_t byte, Mode mode) {
  FileLock lock(file, byte, open_lock_file(file));
  lock.set(mode, /*waits=*/true);
  return lock;
}

void FileLock::share() { set(Mode::Shared, /*waits=*/false); }

bool FileLock::is_held(const std::filesystem::path& file, int64_t byte) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  auto range = one_byte(byte, Mode::Exclusive);
  const int result = ::fcntl(descriptor, F_OFD_GETLK, &range);
  ::close(descriptor);
  return result == 0 && range.l_type != F_UNLCK;
}

}  // namespace normscope
