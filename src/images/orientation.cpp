// Source: Exif 2.32 section 4.6.4, tag 274; TIFF 6.0 section 2.
#include "images/orientation.h"

#include <cstring>

namespace normscope {
namespace {

class TiffReader {
 public:
  explicit TiffReader(std::string_view bytes) : bytes_(bytes), is_big_endian_(bytes.starts_with("MM")) {}

  bool has(size_t offset, size_t count) const { return offset <= bytes_.size() && count <= bytes_.size() - offset; }

  uint32_t number(size_t offset, int count) const {
    uint32_t value = 0;
    for (int i = 0; i < count; ++i) {
      const auto at = offset + static_cast<size_t>(is_big_endian_ ? i : count - 1 - i);
      value = value << 8 | static_cast<uint8_t>(bytes_[at]);
    }
    return value;
  }

 private:
  std::string_view bytes_;
  bool is_big_endian_;
};

int width_of_type(uint32_t type) { return type == 1 ? 1 : type == 3 ? 2 : type == 4 ? 4 : 0; }

}  // namespace

int exif_orientation(std::string_view exif) {
  constexpr uint32_t kOrientation = 274;
  if (exif.starts_with(std::string_view("Exif\0\0", 6))) exif.remove_prefix(6);
  if (!exif.starts_with("II") && !exif.starts_with("MM")) return 1;
  const TiffReader tiff(exif);
  if (!tiff.has(0, 8) || tiff.number(2, 2) != 42) return 1;
  const size_t directory = tiff.number(4, 4);
  if (!tiff.has(directory, 2)) return 1;
  const size_t count = tiff.number(directory, 2);
  for (size_t i = 0; i < count; ++i) {
    const size_t entry = directory + 2 + 12 * i;
    if (!tiff.has(entry, 12)) return 1;
    if (tiff.number(entry, 2) != kOrientation) continue;
    const int width = width_of_type(tiff.number(entry + 2, 2));
    if (width == 0 || tiff.number(entry + 4, 4) != 1) return 1;
    const uint32_t value = tiff.number(entry + 8, width);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Image upright(Image image, int orientation) {
  if (orientation == 1) return image;
  const int64_t W = image.width, H = image.height;
  // 5-8 exchange rows and columns; within them, which axes of the stored picture run backwards.
  const bool is_turned = orientation >= 5;
  const bool mirrors_x = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool mirrors_y = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  Image out{is_turned ? H : W, is_turned ? W : H, std::vector<uint8_t>(image.rgb.size())};
  uint8_t* to = out.rgb.data();
  for (int64_t row = 0; row < out.height; ++row)
    for (int64_t column = 0; column < out.width; ++column, to += 3) {
      int64_t x = is_turned ? row : column, y = is_turned ? column : row;
      if (mirrors_x) x = W - 1 - x;
      if (mirrors_y) y = H - 1 - y;
      std::memcpy(to, image.rgb.data() + 3 * (y * W + x), 3);
    }
  return out;
}

}  // namespace normscope
