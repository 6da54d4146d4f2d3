// Fuzzes the reader of state dict pickles.
#include <cstdint>

#include "checkpoints/pickle.h"
#include "core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace normscope;
  try {
    parse_state_dict_pickle({reinterpret_cast<const char*>(bytes), size});
  } catch (const Error&) {
  }
  return 0;
}
