// Files: whole reads, read-only maps, and writes that are complete or absent.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"

namespace normscope {

// All bytes of a regular file. Throws Error of `kind` naming the path.
std::string read_file(const std::filesystem::path& path, ErrorKind kind);

// Read-only memory map of a whole file; the bytes live as long as the object.
class MappedFile {
 public:
  MappedFile(const std::filesystem::path& path, ErrorKind kind);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;

  // Takes the pages read so far off this process's memory; reading maps them again.
  void release_pages() const;

  std::string_view bytes() const { return {static_cast<const char*>(begin_), size_}; }

 private:
  void* begin_ = nullptr;
  size_t size_ = 0;
};

// A file that appears under `path` only when commit() has written, synced and renamed it.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path);
  // One that never gets a path: it ends with its descriptor and maps. Errors call it `what` in `folder`.
  static AtomicFile without_path(const std::filesystem::path& folder, const std::string& what);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;

  // All throw Error(Run) naming the path and the system's reason (full disk, quota, ...).
  void reserve(size_t size);  // makes it so long and takes the room on the disk
  void write(std::string_view bytes);
  void write_at(size_t offset, std::string_view bytes) const;  // from any number of threads
  void commit();

  MappedFile map() const;  // what was committed, or written without a path

 private:
  AtomicFile(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::filesystem::path path_, temporary_;
  int descriptor_ = -1;
};

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace normscope
