// BMP: palettes of 1, 4 and 8 bits, 16, 24 and 32 bits with the usual fields, RLE4 and RLE8.
// Source: Microsoft's BITMAPINFOHEADER to BITMAPV5HEADER and BITMAPCOREHEADER; where they leave a choice, Pillow's.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "images/codec.h"

namespace normscope {
namespace {

constexpr const char* kName = "BMP";
constexpr uint32_t kFileHeader = 14;
enum Compression : uint32_t { kRaw = 0, kRle8 = 1, kRle4 = 2, kBitFields = 3 };

using Color = std::array<uint8_t, 3>;

struct Header {
  int64_t width = 0, height = 0;
  bool is_top_down = false;
  uint32_t bits = 0;
  uint32_t compression = kRaw;
  uint64_t pixels_at = 0;
  std::array<uint32_t, 3> masks{};   // red, green, blue; of 16 and 32 bits
  std::array<Color, 256> palette{};  // black beyond the file's own
};

class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  uint32_t number(uint64_t offset, uint32_t count) const {
    require_whole(offset + count <= bytes_.size(), kName);
    uint32_t value = 0;
    for (uint32_t i = count; i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes_[offset + i]);
    return value;
  }
  uint8_t at(uint64_t offset) const { return static_cast<uint8_t>(bytes_[offset]); }
  uint64_t size() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

// Reads the colors and says where they end.
uint64_t read_palette(Bytes bytes, uint64_t at, uint32_t colors, uint32_t entry_bytes, Header& header) {
  require_sound(colors <= 65536, kName, "a palette of " + std::to_string(colors) + " colors");
  for (uint32_t i = 0; i < std::min(colors, 256u); ++i) {
    const uint32_t bgr = bytes.number(at + uint64_t{i} * entry_bytes, 3);
    header.palette[i] = {static_cast<uint8_t>(bgr >> 16), static_cast<uint8_t>(bgr >> 8), static_cast<uint8_t>(bgr)};
  }
  return at + uint64_t{colors} * entry_bytes;
}

// Fields that lie as 5-5-5, 5-6-5 or in whole bytes; others are not in use.
bool are_usual(const Header& h) {
  using Masks = std::array<uint32_t, 3>;
  if (h.bits == 16) return h.masks == Masks{0x7c00, 0x3e0, 0x1f} || h.masks == Masks{0xf800, 0x7e0, 0x1f};
  if (h.bits == 24) return h.masks == Masks{0xff0000, 0xff00, 0xff};
  return std::all_of(h.masks.begin(), h.masks.end(), [](uint32_t mask) {
    return mask != 0 && std::countr_zero(mask) % 8 == 0 && mask >> std::countr_zero(mask) == 0xff;
  });
}

Header read_header(Bytes bytes) {
  Header h;
  h.pixels_at = bytes.number(10, 4);
  const uint32_t header_bytes = bytes.number(kFileHeader, 4);
  uint64_t at = kFileHeader + uint64_t{header_bytes};
  uint32_t colors = 0, entry_bytes = 4;
  if (header_bytes == 12) {
    h.width = bytes.number(18, 2);
    h.height = bytes.number(20, 2);
    h.bits = bytes.number(24, 2);
    entry_bytes = 3;
  } else {
    static constexpr uint32_t kKnown[] = {40, 52, 56, 64, 108, 124};
    require_sound(std::find(std::begin(kKnown), std::end(kKnown), header_bytes) != std::end(kKnown), kName,
                  "a header of " + std::to_string(header_bytes) + " bytes");
    h.width = static_cast<int32_t>(bytes.number(18, 4));
    h.height = static_cast<int32_t>(bytes.number(22, 4));
    h.is_top_down = h.height < 0;
    h.height = std::abs(h.height);
    h.bits = bytes.number(28, 2);
    h.compression = bytes.number(30, 4);
    colors = bytes.number(46, 4);
    require_whole(at <= bytes.size(), kName);
  }
  static constexpr uint32_t kDepths[] = {1, 4, 8, 16, 24, 32};
  require_sound(std::find(std::begin(kDepths), std::end(kDepths), h.bits) != std::end(kDepths), kName,
                std::to_string(h.bits) + " bits a pixel");
  h.masks =
      h.bits == 16 ? std::array<uint32_t, 3>{0x7c00, 0x3e0, 0x1f} : std::array<uint32_t, 3>{0xff0000, 0xff00, 0xff};
  if (h.compression == kBitFields) {
    // Behind a header of 40 bytes, inside the longer ones: the same place.
    for (uint32_t i = 0; i < 3; ++i) h.masks[i] = bytes.number(54 + 4 * i, 4);
    if (header_bytes == 40) at += 12;
    if (h.bits == 32 && h.masks == std::array<uint32_t, 3>{}) h.masks = {0xff0000, 0xff00, 0xff};
    require_sound(h.bits >= 16 && are_usual(h), kName, "bit fields that are not in use");
  } else {
    require_sound(
        h.compression == kRaw || (h.compression == kRle8 && h.bits == 8) || (h.compression == kRle4 && h.bits == 4),
        kName, "compression " + std::to_string(h.compression) + " at " + std::to_string(h.bits) + " bits");
  }
  if (h.bits <= 8) {
    const bool starts_at_palette = h.pixels_at == at;  // some writers forget the palette
    at = read_palette(bytes, at, colors == 0 ? 1u << h.bits : colors, entry_bytes, h);
    if (starts_at_palette) h.pixels_at = at;
  }
  if (h.pixels_at == 0) h.pixels_at = at;
  return h;
}

// One row of raw pixels at `at` to RGB.
void read_row(Bytes bytes, const Header& h, uint64_t at, uint8_t* out) {
  const uint32_t step = h.bits / 8;
  for (uint64_t x = 0; x < static_cast<uint64_t>(h.width); ++x, out += 3) {
    if (h.bits <= 8) {
      const uint64_t bit = x * h.bits;
      const uint32_t index = bytes.at(at + bit / 8) >> (8 - h.bits - bit % 8) & ((1u << h.bits) - 1);
      std::copy_n(h.palette[index].data(), 3, out);
      continue;
    }
    uint32_t value = 0;
    for (uint32_t i = step; i-- > 0;) value = value << 8 | bytes.at(at + x * step + i);
    for (size_t c = 0; c < 3; ++c) {
      const int shift = std::countr_zero(h.masks[c]);
      const uint32_t largest = h.masks[c] >> shift;
      out[c] = static_cast<uint8_t>((value >> shift & largest) * 255 / largest);
    }
  }
}

void read_raw(Bytes bytes, const Header& h, Image& image) {
  const uint64_t width = static_cast<uint64_t>(h.width), height = static_cast<uint64_t>(h.height);
  const uint64_t stride = (width * h.bits + 31) / 32 * 4, row_bytes = (width * h.bits + 7) / 8;
  // The last row may lack its padding.
  require_whole(h.pixels_at + stride * (height - 1) + row_bytes <= bytes.size(), kName);
  for (uint64_t y = 0; y < height; ++y)
    read_row(bytes, h, h.pixels_at + stride * y, image.rgb.data() + 3 * width * (h.is_top_down ? y : height - 1 - y));
}

// Runs to indices, rows in the file's order; what a run has beyond its row is cut.
std::vector<uint8_t> expand_runs(Bytes bytes, const Header& h) {
  const size_t width = static_cast<size_t>(h.width), total = width * static_cast<size_t>(h.height);
  const bool is_nibbles = h.compression == kRle4;
  std::vector<uint8_t> indices;
  size_t x = 0;
  uint64_t at = h.pixels_at;
  const auto pixel = [&](uint64_t first, size_t i) -> uint8_t {
    if (!is_nibbles) return bytes.at(first + i);
    return i % 2 ? bytes.at(first + i / 2) & 15 : bytes.at(first + i / 2) >> 4;
  };
  while (indices.size() < total && at + 2 <= bytes.size()) {
    const size_t count = bytes.at(at), code = bytes.at(at + 1);
    at += 2;
    if (count > 0) {
      const size_t fitting = std::min(count, width - std::min(x, width));
      for (size_t i = 0; i < fitting; ++i) indices.push_back(pixel(at - 1, is_nibbles ? i % 2 : 0));
      x += fitting;
    } else if (code == 0) {
      indices.resize((indices.size() + width - 1) / width * width);
      x = 0;
    } else if (code == 1) {
      break;
    } else if (code == 2) {
      if (at + 2 > bytes.size()) break;
      indices.resize(std::min(total, indices.size() + bytes.at(at) + bytes.at(at + 1) * width));
      x = indices.size() % width;
      at += 2;
    } else {
      const size_t taken = std::min(total - indices.size(), code), taken_bytes = is_nibbles ? (taken + 1) / 2 : taken;
      if (at + taken_bytes > bytes.size()) break;
      for (size_t i = 0; i < taken; ++i) indices.push_back(pixel(at, i));
      x += code;
      at += taken_bytes + (at + taken_bytes) % 2;
    }
  }
  require_whole(indices.size() >= total, kName);
  return indices;
}

}  // namespace

DecodedImage decode_bmp(std::string_view all, int64_t max_pixels) {
  const Bytes bytes(all);
  const auto header = read_header(bytes);
  check_size(kName, header.width, header.height, max_pixels);
  DecodedImage out;
  if (header.compression == kRaw || header.compression == kBitFields) {
    out.image = blank_image(kName, header.width, header.height, max_pixels);
    read_raw(bytes, header, out.image);
    return out;
  }
  const auto indices = expand_runs(bytes, header);
  out.image = blank_image(kName, header.width, header.height, max_pixels);
  const size_t width = static_cast<size_t>(header.width), height = static_cast<size_t>(header.height);
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x)
      std::copy_n(header.palette[indices[y * width + x]].data(), 3,
                  out.image.rgb.data() + 3 * ((header.is_top_down ? y : height - 1 - y) * width + x));
  return out;
}

}  // namespace normscope
