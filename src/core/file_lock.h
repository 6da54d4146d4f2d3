// Locks between processes on bytes of a file: held by an open descriptor, so that one ends with its process however
// that ends.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

namespace normscope {

// An open file description lock (fcntl F_OFD_SETLK). It conflicts with every other FileLock on the same byte, of this
// process too. The file need not hold the byte; it is created empty when absent.
class FileLock {
 public:
  enum class Mode { Shared, Exclusive };

  // Nothing when another holds the byte. Throws Error(Run) when the file cannot be opened or locked.
  static std::optional<FileLock> try_lock(const std::filesystem::path& file, int64_t byte, Mode mode);
  // As long as it takes.
  static FileLock wait(const std::filesystem::path& file, int64_t byte, Mode mode);
  // Whether anybody holds the byte in any mode; false where there is no such file. Also on read-only media.
  static bool is_held(const std::filesystem::path& file, int64_t byte);

  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;

  // From exclusive to shared, without a moment in between at which others could take it.
  void share();

 private:
  FileLock(std::filesystem::path file, int64_t byte, int descriptor);
  bool set(Mode mode, bool waits) const;

  std::filesystem::path file_;
  int64_t byte_ = 0;
  int descriptor_ = -1;
};

}  // namespace normscope
