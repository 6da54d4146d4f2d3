#include "core/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace normscope {
namespace {

std::string reason() { return std::strerror(errno); }

// Opens a regular file for reading; the caller closes the descriptor.
int open_for_reading(const std::filesystem::path& path, ErrorKind kind, size_t& size) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  require(descriptor >= 0, kind, path.string(), ": cannot be read: ", reason());
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw Error(kind, path.string() + ": expected a file, found something else");
  }
  size = static_cast<size_t>(status.st_size);
  return descriptor;
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

std::string read_file(const std::filesystem::path& path, ErrorKind kind) {
  size_t size = 0;
  const int descriptor = open_for_reading(path, kind, size);
  std::string bytes;
  bytes.reserve(size);
  char buffer[1 << 16];
  ssize_t got = 0;
  while ((got = ::read(descriptor, buffer, sizeof buffer)) > 0) bytes.append(buffer, static_cast<size_t>(got));
  const std::string why = got < 0 ? reason() : "";
  ::close(descriptor);
  require(got == 0, kind, path.string(), ": cannot be read: ", why);
  return bytes;
}

MappedFile::MappedFile(const std::filesystem::path& path, ErrorKind kind) {
  const int descriptor = open_for_reading(path, kind, size_);
  if (size_ > 0) begin_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  const std::string why = begin_ == MAP_FAILED ? reason() : "";
  ::close(descriptor);
  require(begin_ != MAP_FAILED, kind, path.string(), ": cannot be mapped: ", why);
}

void MappedFile::release_pages() const {
  if (begin_ != nullptr) ::madvise(begin_, size_, MADV_DONTNEED);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile::~MappedFile() {
  if (begin_ != nullptr) ::munmap(begin_, size_);
}

AtomicFile::AtomicFile(const std::filesystem::path& path)
    : path_(path), temporary_(path.string() + ".partial-" + std::to_string(::getpid())) {
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  require(descriptor_ >= 0, ErrorKind::Run, path_.string(), ": cannot be written: ", reason());
}

AtomicFile AtomicFile::without_path(const std::filesystem::path& folder, const std::string& what) {
  int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) {  // a file system without such files: one that loses its name at once
    auto name = (folder / "normscope-XXXXXX").string();
    descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor >= 0) ::unlink(name.c_str());
  }
  require(descriptor >= 0, ErrorKind::Run, folder.string(), ": ", what, " cannot be written: ", reason());
  return AtomicFile(folder / what, descriptor);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::reserve(size_t size) {
  const int failure = size == 0 ? 0 : ::posix_fallocate(descriptor_, 0, static_cast<off_t>(size));
  require(failure == 0, ErrorKind::Run, path_.string(), ": no room for ", size, " bytes: ", std::strerror(failure));
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    require(written > 0, ErrorKind::Run, path_.string(), ": cannot be written: ", reason());
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

void AtomicFile::write_at(size_t offset, std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    require(written > 0, ErrorKind::Run, path_.string(), ": cannot be written: ", reason());
    bytes.remove_prefix(static_cast<size_t>(written));
    offset += static_cast<size_t>(written);
  }
}

MappedFile AtomicFile::map() const {
  if (temporary_.empty()) return {"/proc/self/fd/" + std::to_string(descriptor_), ErrorKind::Run};
  return {path_, ErrorKind::Run};
}

void AtomicFile::commit() {
  require(::fsync(descriptor_) == 0, ErrorKind::Run, path_.string(), ": cannot be written: ", reason());
  ::close(std::exchange(descriptor_, -1));
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const std::string why = reason();
    ::unlink(temporary_.c_str());
    throw Error(ErrorKind::Run, path_.string() + ": cannot be written: " + why);
  }
  sync_folder(path_.parent_path());
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace normscope
