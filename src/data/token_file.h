// Token ids of a data set in one file that can be mapped.
// Layout, little endian: "NSTOKEN1", uint64 rows, uint64 truncated, uint64 empty; for each row uint64 where it ends,
// counted in ids; the ids, int64.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/file.h"

namespace normscope {

struct TokenFile {
  std::vector<std::span<const int64_t>> rows;  // views of the parsed bytes
  int64_t truncated = 0, empty = 0;            // rows that were cut, that had no token
};

void write_token_file(AtomicFile& file, std::span<const std::vector<int64_t>> rows, int64_t truncated, int64_t empty);

// `bytes` are aligned to 8, as maps are. Throws Error(Data) unless they are a whole file.
TokenFile parse_token_file(std::string_view bytes);

}  // namespace normscope
