// The table of codecs.
#include "images/decode.h"

#include "images/codec.h"
#include "images/orientation.h"

namespace normscope {
namespace {

struct Codec {
  const char* name;
  bool (*matches)(std::string_view bytes);
  DecodedImage (*decode)(std::string_view bytes, int64_t max_pixels);
};

constexpr Codec kCodecs[] = {
    {"JPEG", [](std::string_view b) { return b.starts_with("\xff\xd8\xff"); }, decode_jpeg},
    {"PNG", [](std::string_view b) { return b.starts_with("\x89PNG\r\n\x1a\n"); }, decode_png},
    {"WebP", [](std::string_view b) { return b.starts_with("RIFF") && b.substr(8).starts_with("WEBP"); }, decode_webp},
    {"GIF", [](std::string_view b) { return b.starts_with("GIF87a") || b.starts_with("GIF89a"); }, decode_gif},
    {"BMP", [](std::string_view b) { return b.starts_with("BM"); }, decode_bmp},
};

}  // namespace

Image decode_image(std::string_view bytes, const DecodeOptions& options) {
  require(!bytes.empty(), ErrorKind::Data, "the picture is empty (0 bytes)");
  for (const auto& codec : kCodecs) {
    // substr(8) above needs so many bytes; no picture of any format is shorter.
    if (bytes.size() < 8 || !codec.matches(bytes)) continue;
    auto decoded = codec.decode(bytes, options.max_pixels);
    if (!options.applies_exif_orientation) return std::move(decoded.image);
    return upright(std::move(decoded.image), decoded.orientation);
  }
  std::string known;
  for (const auto& codec : kCodecs) known += (known.empty() ? "" : ", ") + std::string(codec.name);
  throw Error(ErrorKind::Data, "the picture is of no known format (" + known + ")");
}

}  // namespace normscope
