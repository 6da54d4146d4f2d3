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

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    require(written > 0, ErrorKind::Run, path_.string(), ": cannot be written: ", reason());
    bytes.remove_prefix(static_cast<size_t>(written));
  }
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
