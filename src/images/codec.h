// What the codecs have in common; one file each, listed in decode.cpp.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.h"
#include "images/image.h"

namespace normscope {

struct DecodedImage {
  Image image;
  int orientation = 1;  // EXIF's: 1 upright, 2-8 mirrored or turned
};

// bytes begin with the codec's magic. Each throws Error(Data) and checks the size before it allocates.
DecodedImage decode_jpeg(std::string_view bytes, int64_t max_pixels);
DecodedImage decode_png(std::string_view bytes, int64_t max_pixels);
DecodedImage decode_webp(std::string_view bytes, int64_t max_pixels);
DecodedImage decode_gif(std::string_view bytes, int64_t max_pixels);
DecodedImage decode_bmp(std::string_view bytes, int64_t max_pixels);

// Throws unless the picture has pixels and no more than allowed; says what the header claims.
inline void check_size(const char* codec, int64_t width, int64_t height, int64_t max_pixels) {
  require(width > 0 && height > 0, ErrorKind::Data, codec, " picture of ", width, " x ", height, " pixels");
  require(width <= max_pixels / height, ErrorKind::Data, codec, " picture of ", width, " x ", height,
          " pixels is too large: ", max_pixels, " pixels at most");
}

inline void require_whole(bool ok, const char* codec) { require(ok, ErrorKind::Data, codec, " picture is truncated"); }

inline void require_sound(bool ok, const char* codec, const std::string& reason) {
  require(ok, ErrorKind::Data, codec, " picture is corrupt: ", reason);
}

inline Image blank_image(const char* codec, int64_t width, int64_t height, int64_t max_pixels) {
  check_size(codec, width, height, max_pixels);
  return {width, height, std::vector<uint8_t>(static_cast<size_t>(3 * width * height))};
}

}  // namespace normscope
