// Reads the central directory, with the 64-bit records that torch.save always writes.
// Source: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12, 4.3.14 to 4.3.16 and 4.5.3.
#include "checkpoints/zip.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"

namespace normscope {
namespace {

constexpr uint32_t kLocalHeader = 0x04034b50, kDirectoryEntry = 0x02014b50, kDirectoryEnd = 0x06054b50,
                   kDirectoryEnd64 = 0x06064b50, kLocator64 = 0x07064b50;
constexpr size_t kEndBytes = 22, kLocatorBytes = 20, kEnd64Bytes = 56, kEntryBytes = 46, kLocalBytes = 30;
constexpr uint32_t kIn64 = 0xffffffff;  // the value stands in a 64-bit record

class ZipReader {
 public:
  ZipReader(std::string_view bytes, const std::string& origin) : bytes_(bytes), origin_(origin) {}

  std::map<std::string, std::string_view> read() {
    find_directory();
    std::map<std::string, std::string_view> members;
    uint64_t position = directory_;
    for (uint64_t i = 0; i < num_entries_; ++i) {
      demand(number<uint32_t>(position) == kDirectoryEntry, "no directory entry at byte ", position);
      const auto name_bytes = number<uint16_t>(position + 28), extra_bytes = number<uint16_t>(position + 30),
                 comment_bytes = number<uint16_t>(position + 32);
      const std::string name(span(position + kEntryBytes, name_bytes));
      const auto content = read_member(name, position, span(position + kEntryBytes + name_bytes, extra_bytes));
      position += kEntryBytes + name_bytes + extra_bytes + comment_bytes;
      if (name.ends_with('/')) continue;  // a folder
      demand(members.emplace(name, content).second, "member '", name, "' comes twice");
    }
    return members;
  }

 private:
  template <typename... Parts>
  void demand(bool ok, const Parts&... message) const {
    require(ok, ErrorKind::Checkpoint, origin_, ": damaged zip archive: ", message...);
  }

  std::string_view span(uint64_t begin, uint64_t size) const {
    demand(begin <= bytes_.size() && size <= bytes_.size() - begin, "bytes ", begin, " to ", begin + size,
           " are past the end of ", bytes_.size());
    return bytes_.substr(begin, size);
  }

  template <typename T>
  T number(uint64_t position) const {
    T value;
    std::memcpy(&value, span(position, sizeof value).data(), sizeof value);
    return value;
  }

  void find_directory() {
    demand(bytes_.size() >= kEndBytes, "only ", bytes_.size(), " bytes");
    uint64_t end = bytes_.size() - kEndBytes;
    const uint64_t last = end > 0xffff ? end - 0xffff : 0;  // a comment of at most 65535 bytes may follow
    while (number<uint32_t>(end) != kDirectoryEnd) {
      demand(end > last, "no directory at its end; the file is cut short");
      --end;
    }
    num_entries_ = number<uint16_t>(end + 10);
    directory_ = number<uint32_t>(end + 16);
    if (end >= kLocatorBytes && number<uint32_t>(end - kLocatorBytes) == kLocator64) {
      const auto end64 = number<uint64_t>(end - kLocatorBytes + 8);
      demand(end64 < end && number<uint32_t>(end64) == kDirectoryEnd64 && end - end64 >= kEnd64Bytes,
             "no 64-bit directory end at byte ", end64);
      num_entries_ = number<uint64_t>(end64 + 32);
      directory_ = number<uint64_t>(end64 + 48);
    }
    demand(num_entries_ <= bytes_.size() / kEntryBytes, num_entries_, " members in ", bytes_.size(), " bytes");
  }

  std::string_view read_member(const std::string& name, uint64_t entry, std::string_view extra) const {
    const auto flags = number<uint16_t>(entry + 8), method = number<uint16_t>(entry + 10);
    uint64_t stored = number<uint32_t>(entry + 20), size = number<uint32_t>(entry + 24),
             local = number<uint32_t>(entry + 42);
    read_64_bit_fields(extra, {&size, &stored, &local});
    require((flags & 1) == 0, ErrorKind::Checkpoint, origin_, ": member '", name, "' is encrypted");
    require(method == 0 && stored == size, ErrorKind::Checkpoint, origin_, ": member '", name,
            "' is compressed; torch.save stores members as they are");
    demand(number<uint32_t>(local) == kLocalHeader, "member '", name, "': no header at byte ", local);
    const uint64_t begin = local + kLocalBytes + number<uint16_t>(local + 26) + number<uint16_t>(local + 28);
    return span(begin, size);
  }

  // Record 1 holds, in this order, those of the three whose 32-bit place is full.
  void read_64_bit_fields(std::string_view extra, std::initializer_list<uint64_t*> fields) const {
    while (extra.size() >= 4) {
      uint16_t id, length;
      std::memcpy(&id, extra.data(), sizeof id);
      std::memcpy(&length, extra.data() + 2, sizeof length);
      demand(length <= extra.size() - 4, "an extra field of ", length, " bytes in ", extra.size() - 4);
      std::string_view record = extra.substr(4, length);
      extra.remove_prefix(4 + size_t{length});
      if (id != 1) continue;
      for (uint64_t* field : fields) {
        if (*field != kIn64) continue;
        demand(record.size() >= sizeof *field, "a 64-bit record is cut short");
        std::memcpy(field, record.data(), sizeof *field);
        record.remove_prefix(sizeof *field);
      }
      return;
    }
  }

  std::string_view bytes_;
  const std::string& origin_;
  uint64_t directory_ = 0, num_entries_ = 0;
};

}  // namespace

std::map<std::string, std::string_view> parse_zip(std::string_view bytes, const std::string& origin) {
  return ZipReader(bytes, origin).read();
}

}  // namespace normscope
