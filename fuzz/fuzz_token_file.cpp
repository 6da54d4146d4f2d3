// Any bytes as a file of token ids: rows that lie in the bytes, or an Error.
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "data/token_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<char> aligned(data, data + size);
  try {
    const auto file = normscope::parse_token_file({aligned.data(), aligned.size()});
    int64_t sum = 0;
    for (const auto row : file.rows)
      for (const int64_t id : row) sum ^= id;
    volatile int64_t read = sum;
    (void)read;
  } catch (const normscope::Error&) {
  }
  return 0;
}
