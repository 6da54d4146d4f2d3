#include "experiments/dynamics_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.h"

namespace normscope {
namespace {

class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path)
      : path_(path), descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    check(descriptor_ >= 0);
  }
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;

  void check(bool ok) const {
    require(ok, ErrorKind::Run, path_.string(), ": cannot be written: ", std::strerror(errno));
  }
  void write_at(const void* bytes, size_t size, int64_t offset) const {
    const auto* next = static_cast<const char*>(bytes);
    while (size > 0) {
      const ssize_t written = ::pwrite(descriptor_, next, size, offset);
      if (written < 0 && errno == EINTR) continue;
      check(written > 0);
      next += written;
      offset += written;
      size -= static_cast<size_t>(written);
    }
  }
  int descriptor() const { return descriptor_; }

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace

void write_dynamics(const std::filesystem::path& path, int64_t epoch, const Logits& logits,
                    std::span<const int> given_labels) {
  const auto rows = static_cast<int64_t>(given_labels.size());
  std::vector<DynamicsRecord> records;
  records.reserve(given_labels.size());
  for (int64_t i = 0; i < rows; ++i) {
    const auto row = logits.row(i);
    const int label = given_labels[static_cast<size_t>(i)];
    records.push_back({static_cast<float>(cross_entropy(row, label)),
                       static_cast<float>(row[static_cast<size_t>(label)]), static_cast<float>(margin(row, label)),
                       predicted_label(row)});
  }
  DynamicsHeader header;
  header.rows = static_cast<uint32_t>(rows);
  header.classes = static_cast<uint32_t>(logits.num_classes);
  const OpenFile file(path);
  DynamicsHeader present;
  const ssize_t got = ::pread(file.descriptor(), &present, sizeof present, 0);
  require(got == 0 || (got == sizeof present && std::memcmp(&present, &header, sizeof header) == 0), ErrorKind::Run,
          path.string(), ": belongs to other data; expected ", rows, " rows and ", logits.num_classes, " classes");
  const int64_t epoch_bytes = rows * static_cast<int64_t>(sizeof(DynamicsRecord));
  file.write_at(&header, sizeof header, 0);
  file.write_at(records.data(), static_cast<size_t>(epoch_bytes),
                static_cast<int64_t>(sizeof header) + epoch * epoch_bytes);
  file.check(::ftruncate(file.descriptor(), static_cast<int64_t>(sizeof header) + (epoch + 1) * epoch_bytes) == 0);
  file.check(::fsync(file.descriptor()) == 0);
}

}  // namespace normscope
