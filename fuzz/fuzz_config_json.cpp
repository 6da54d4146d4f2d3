// Fuzzes the readers of config.json and of a shard index.
#include <cstdint>

#include "checkpoints/config.h"
#include "checkpoints/weight_files.h"
#include "core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace normscope;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  try {
    class_labels(parse_config(text));
  } catch (const Error&) {
  }
  try {
    parse_weight_index(text, "index");
  } catch (const Error&) {
  }
  return 0;
}
