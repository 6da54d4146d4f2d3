// Any bytes as a CIFAR batch: pictures that lie in the bytes, or an Error.
#include <cstdint>
#include <string_view>

#include "core/error.h"
#include "data/cifar.h"

using namespace normscope;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const auto& layout : {kCifar10, kCifar100}) {
    ReadOptions options;
    options.skips_bad_rows = true;
    RowCollector rows("f", options);
    rows.set_columns(true, false);
    const std::vector<std::string> classes(static_cast<size_t>(layout.num_classes), "x");
    try {
      add_cifar_records(bytes, "f", layout, classes, rows);
    } catch (const Error&) {
      continue;
    }
    for (const auto& row : rows.finish().rows)
      if (row.image.offset < 1 || static_cast<size_t>(row.image.offset + kCifarPixelBytes) > size) __builtin_trap();
  }
  return 0;
}
