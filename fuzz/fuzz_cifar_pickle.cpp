// Any bytes as a pickled CIFAR batch and its names: pictures that lie in the bytes, or an Error.
#include <cstdint>
#include <string_view>

#include "core/error.h"
#include "core/text.h"
#include "data/cifar.h"
#include "data/cifar_pickle.h"

using namespace normscope;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto batch = parse_cifar_pickle(bytes, "f");
    const auto pixels = static_cast<int64_t>(batch.labels.size()) * kCifarPixelBytes;
    if (batch.offset < 0 || batch.offset + pixels > static_cast<int64_t>(size)) __builtin_trap();
  } catch (const Error&) {
  }
  try {
    for (const auto& name : parse_cifar_names(bytes, "f", "label_names"))
      if (find_invalid_utf8(name) != std::string_view::npos) __builtin_trap();
  } catch (const Error&) {
  }
  return 0;
}
