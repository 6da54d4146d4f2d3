// Encoded pictures to RGB: JPEG, PNG, WebP, GIF and BMP, recognised by their bytes.
#pragma once
#include <cstdint>
#include <string_view>

#include "images/image.h"

namespace normscope {

struct DecodeOptions {
  bool applies_exif_orientation = false;  // turn the picture upright; Pillow and transformers do not by default
  int64_t max_pixels = 2 * 89478485;      // where Pillow raises DecompressionBombError
};

// The pixels of Pillow's Image.open(file).convert("RGB"): of an animation the first picture, alpha dropped, 16-bit
// gray cut off at 255. Throws Error(Data) with a reason that does not name the file: empty, of unknown format, too
// large, truncated or corrupt.
Image decode_image(std::string_view bytes, const DecodeOptions& options = {});

}  // namespace normscope
