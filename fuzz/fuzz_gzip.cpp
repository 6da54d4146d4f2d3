// Fuzzes unzipping; no more than the limit may come out.
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "core/gzip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  constexpr size_t kLimit = 1 << 20;
  try {
    if (normscope::gunzip({reinterpret_cast<const char*>(bytes), size}, kLimit).size() > kLimit) std::abort();
  } catch (const normscope::Error&) {
  }
  return 0;
}
