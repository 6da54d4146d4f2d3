// Any bytes as jsonl: rows or an Error.
#include <cstdint>
#include <string_view>

#include "core/error.h"
#include "core/text.h"
#include "data/formats.h"

using namespace normscope;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const bool skips : {false, true}) {
    ReadOptions options;
    options.skips_bad_rows = skips;
    options.needs_labels = !skips;
    options.true_label_column = skips ? "clean" : "";
    try {
      for (const auto& row : read_jsonl(bytes, "f", options).rows)
        if (find_invalid_utf8(row.text) != std::string_view::npos || row.line < 1) __builtin_trap();
    } catch (const Error&) {
    }
  }
  return 0;
}
