#include "data/token_file.h"

#include <cassert>
#include <cstring>

#include "core/error.h"

namespace normscope {
namespace {

struct Header {
  char magic[8] = {'N', 'S', 'T', 'O', 'K', 'E', 'N', '1'};
  uint64_t rows = 0, truncated = 0, empty = 0;
};
static_assert(sizeof(Header) == 32);

std::string_view bytes_of(const auto& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])};
}

std::vector<int64_t> row_numbers(std::span<const int64_t> numbers, uint64_t rows) {
  int64_t before = -1;
  for (const int64_t number : numbers) {
    require(number > before && static_cast<uint64_t>(number) < rows, ErrorKind::Data, "tokens: row number ", number,
            " after ", before, ", of ", rows, " rows");
    before = number;
  }
  return {numbers.begin(), numbers.end()};
}

}  // namespace

void write_token_file(AtomicFile& file, std::span<const std::vector<int64_t>> rows, std::span<const int64_t> truncated,
                      std::span<const int64_t> empty) {
  Header header;
  header.rows = rows.size();
  header.truncated = truncated.size();
  header.empty = empty.size();
  std::vector<uint64_t> ends;
  uint64_t end = 0;
  for (const auto& row : rows) ends.push_back(end += row.size());
  file.write({reinterpret_cast<const char*>(&header), sizeof header});
  file.write(bytes_of(truncated));
  file.write(bytes_of(empty));
  file.write(bytes_of(ends));
  for (const auto& row : rows) file.write(bytes_of(row));
}

TokenFile parse_token_file(std::string_view bytes) {
  assert(reinterpret_cast<uintptr_t>(bytes.data()) % alignof(int64_t) == 0);
  Header header;
  require(bytes.size() >= sizeof header && bytes.size() % 8 == 0 &&
              std::memcmp(bytes.data(), header.magic, sizeof header.magic) == 0,
          ErrorKind::Data, "tokens: no header 'NSTOKEN1' or a broken end");
  std::memcpy(&header, bytes.data(), sizeof header);
  uint64_t words = (bytes.size() - sizeof header) / 8;
  require(header.rows <= words && header.truncated <= header.rows && header.empty <= header.rows &&
              header.truncated + header.empty <= words - header.rows,
          ErrorKind::Data, "tokens: ", header.rows, " rows do not fit into ", bytes.size(), " bytes");
  const auto* numbers = reinterpret_cast<const int64_t*>(bytes.data() + sizeof header);
  TokenFile file;
  file.truncated = row_numbers({numbers, header.truncated}, header.rows);
  file.empty = row_numbers({numbers + header.truncated, header.empty}, header.rows);
  words -= header.truncated + header.empty;
  const auto* ends = reinterpret_cast<const uint64_t*>(numbers + header.truncated + header.empty);
  const auto* ids = reinterpret_cast<const int64_t*>(ends + header.rows);
  file.rows.reserve(header.rows);
  uint64_t begin = 0;
  for (uint64_t row = 0; row < header.rows; ++row) {
    require(ends[row] >= begin && ends[row] <= words - header.rows, ErrorKind::Data, "tokens: row ", row,
            " ends outside the file");
    file.rows.emplace_back(ids + begin, ends[row] - begin);
    begin = ends[row];
  }
  require(begin == words - header.rows, ErrorKind::Data, "tokens: ids of no row");
  return file;
}

}  // namespace normscope
