// GIF through giflib: the first picture on the screen that it belongs to, as Pillow shows it.
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "images/codec.h"

namespace normscope {
namespace {

constexpr const char* kName = "GIF";

struct Source {
  std::string_view bytes;
  size_t position = 0;
  bool is_truncated = false;
};

int read_bytes(GifFileType* gif, GifByteType* to, int count) {
  auto& source = *static_cast<Source*>(gif->UserData);
  const size_t wanted = static_cast<size_t>(std::max(count, 0));
  const size_t given = std::min(wanted, source.bytes.size() - source.position);
  if (given < wanted) source.is_truncated = true;
  std::memcpy(to, source.bytes.data() + source.position, given);
  source.position += given;
  return static_cast<int>(given);
}

void close(GifFileType* gif) { DGifCloseFile(gif, nullptr); }

void require_read(const Source& source, int error, bool ok) {
  require_whole(ok || !source.is_truncated, kName);
  const char* reason = ok ? nullptr : GifErrorString(error);
  require_sound(ok, kName, reason == nullptr ? "its blocks cannot be read" : reason);
}

using Lookup = std::array<std::array<uint8_t, 3>, 256>;

// An index to RGB. Without a palette, and with one that is its own indices, an index is a gray; else what lies
// beyond the palette is black.
Lookup lookup_of(const ColorMapObject* palette) {
  Lookup lookup{};
  bool is_gray = true;
  const int count = palette == nullptr ? 0 : std::min(palette->ColorCount, 256);
  for (int i = 0; i < count; ++i) {
    const auto& c = palette->Colors[i];
    lookup[static_cast<size_t>(i)] = {c.Red, c.Green, c.Blue};
    is_gray = is_gray && c.Red == i && c.Green == i && c.Blue == i;
  }
  if (is_gray)
    for (size_t i = 0; i < 256; ++i) lookup[i].fill(static_cast<uint8_t>(i));
  return lookup;
}

// Reads up to the first picture's descriptor; returns the index that transparent pixels have, 0 without one.
int find_first_picture(GifFileType& gif, const Source& source) {
  int transparent = 0;
  for (;;) {
    GifRecordType record = UNDEFINED_RECORD_TYPE;
    require_read(source, gif.Error, DGifGetRecordType(&gif, &record) == GIF_OK);
    require_sound(record != TERMINATE_RECORD_TYPE, kName, "it holds no picture");
    if (record == IMAGE_DESC_RECORD_TYPE) break;
    int code = 0;
    GifByteType* block = nullptr;
    bool ok = DGifGetExtension(&gif, &code, &block) == GIF_OK;
    if (ok && code == GRAPHICS_EXT_FUNC_CODE && block != nullptr && block[0] >= 4 && (block[1] & 1))
      transparent = block[4];
    while (ok && block != nullptr) ok = DGifGetExtensionNext(&gif, &block) == GIF_OK;
    require_read(source, gif.Error, ok);
  }
  require_read(source, gif.Error, DGifGetImageDesc(&gif) == GIF_OK);
  return transparent;
}

// Row numbers in the order in which the file has them.
std::vector<int> row_order(int height, bool is_interlaced) {
  static constexpr int kPasses[][2] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};  // first row, step
  std::vector<int> rows;
  if (!is_interlaced)
    for (int y = 0; y < height; ++y) rows.push_back(y);
  else
    for (const auto& [first, step] : kPasses)
      for (int y = first; y < height; y += step) rows.push_back(y);
  return rows;
}

}  // namespace

DecodedImage decode_gif(std::string_view bytes, int64_t max_pixels) {
  Source source{bytes};
  int error = 0;
  const std::unique_ptr<GifFileType, void (*)(GifFileType*)> gif(DGifOpen(&source, read_bytes, &error), close);
  require_read(source, error, gif != nullptr);
  const int transparent = find_first_picture(*gif, source);
  const GifImageDesc& picture = gif->Image;
  require_sound(picture.Left >= 0 && picture.Top >= 0 && picture.Width > 0 && picture.Height > 0, kName,
                "its first picture has no pixels");
  DecodedImage out;
  // A picture may stick out of its screen.
  out.image = blank_image(kName, std::max(gif->SWidth, picture.Left + picture.Width),
                          std::max(gif->SHeight, picture.Top + picture.Height), max_pixels);
  const auto lookup = lookup_of(picture.ColorMap != nullptr ? picture.ColorMap : gif->SColorMap);
  const auto& background = lookup[static_cast<size_t>(transparent)];
  for (size_t i = 0; i < out.image.rgb.size(); ++i) out.image.rgb[i] = background[i % 3];
  std::vector<GifPixelType> line(static_cast<size_t>(picture.Width));
  for (const int y : row_order(picture.Height, picture.Interlace)) {
    require_read(source, gif->Error, DGifGetLine(gif.get(), line.data(), picture.Width) == GIF_OK);
    uint8_t* to = out.image.rgb.data() + 3 * ((picture.Top + y) * out.image.width + picture.Left);
    for (const auto index : line) {
      std::memcpy(to, lookup[index].data(), 3);
      to += 3;
    }
  }
  return out;
}

}  // namespace normscope
