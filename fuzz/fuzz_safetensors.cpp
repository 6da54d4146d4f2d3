// Fuzzes the safetensors parser; every byte of what it accepts is read.
#include <cstdint>
#include <cstdlib>

#include "checkpoints/safetensors.h"
#include "core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace normscope;
  try {
    std::map<std::string, std::string> metadata;
    size_t covered = 0;
    unsigned sum = 0;
    for (const auto& [name, view] : parse_safetensors({reinterpret_cast<const char*>(bytes), size}, &metadata)) {
      for (const char c : view.bytes) sum += static_cast<unsigned char>(c);
      covered += view.bytes.size();
    }
    if (covered > size || sum > 255 * size) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
