// Any bytes as an idx file: an array that lies in the bytes, or an Error.
#include <cstdint>
#include <string_view>

#include "core/error.h"
#include "data/idx.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto array = normscope::parse_idx(bytes, "f");
    size_t count = 1;
    for (const int64_t extent : array.shape) count *= static_cast<size_t>(extent);
    if (count != array.values.size() || static_cast<size_t>(array.offset) + count != size) __builtin_trap();
  } catch (const normscope::Error&) {
  }
  return 0;
}
