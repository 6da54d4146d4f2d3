// Any bytes as a JPEG picture: pixels that fit the size, or an Error.
#include <cstdint>
#include <string_view>

#include "core/error.h"
#include "images/codec.h"
#include "images/orientation.h"

using namespace normscope;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 8) return 0;  // decode_image() asks no codec about fewer
  constexpr int64_t kMaxPixels = 1 << 20;
  try {
    auto [image, orientation] = decode_jpeg({reinterpret_cast<const char*>(data), size}, kMaxPixels);
    image = upright(std::move(image), orientation);
    if (image.width * image.height > kMaxPixels ||
        image.rgb.size() != static_cast<size_t>(3 * image.width * image.height))
      __builtin_trap();
  } catch (const Error&) {
  }
  return 0;
}
