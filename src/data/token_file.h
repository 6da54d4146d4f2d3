// Token ids of a data set in one file that can be mapped.
// Layout, little endian, words of 8 bytes: "NSTOKEN1"; how many rows, truncated rows and empty rows there are; the
// numbers of the truncated rows, of the empty rows; for each row where it ends, counted in ids; the ids.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/file.h"

namespace normscope {

struct TokenFile {
  std::vector<std::span<const int64_t>> rows;  // views of the parsed bytes
  std::vector<int64_t> truncated, empty;       // rows that were cut, that had no token; ascending
};

void write_token_file(AtomicFile& file, std::span<const std::vector<int64_t>> rows, std::span<const int64_t> truncated,
                      std::span<const int64_t> empty);

// `bytes` are aligned to 8, as maps are. Throws Error(Data) unless they are a whole file.
TokenFile parse_token_file(std::string_view bytes);

}  // namespace normscope
