// What the place of a picture tells about it.
#include "images/image_source.h"

namespace normscope {

bool is_raw(const ImageSource& source) { return source.offset >= 0; }

std::string place_of(const ImageSource& source) {
  return is_raw(source) ? source.file + " at byte " + std::to_string(source.offset) : source.file;
}

Image raw_image(std::string_view bytes, const ImageSource& source) {
  Image image{source.width, source.height, std::vector<uint8_t>(static_cast<size_t>(3 * source.width * source.height))};
  const int64_t size = source.width * source.height;
  const auto* from = reinterpret_cast<const uint8_t*>(bytes.data());
  for (int64_t i = 0; i < size; ++i)
    for (int64_t c = 0; c < 3; ++c) {
      const int64_t at = source.channels == 1 ? i : source.is_planar ? c * size + i : 3 * i + c;
      image.rgb[static_cast<size_t>(3 * i + c)] = from[at];
    }
  return image;
}

}  // namespace normscope
