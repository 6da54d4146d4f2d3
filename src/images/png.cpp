// PNG through libpng: every color type and depth, interlaced or not.
#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>

#include "images/codec.h"
#include "images/orientation.h"

namespace normscope {
namespace {

constexpr const char* kName = "PNG";
constexpr size_t kSignature = 8;

// libpng reports errors by a jump over its C frames; everything with a destructor lives here, outside the functions
// that call setjmp.
struct Reader {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string_view bytes;
  size_t position = 0;
  bool is_truncated = false;
  std::jmp_buf jump{};
  char message[128] = "";
  png_uint_32 width = 0, height = 0;
  int depth = 0, color = 0;
  std::vector<uint8_t> raw;  // rows of one byte (16-bit gray: two) a pixel, before the lookup
  std::vector<png_bytep> rows;

  explicit Reader(std::string_view all) : bytes(all) {}
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
  Reader(const Reader&) = delete;
};

[[noreturn]] void jump_out(png_structp png, png_const_charp reason) {
  auto& reader = *static_cast<Reader*>(png_get_error_ptr(png));
  std::snprintf(reader.message, sizeof reader.message, "%s", reason);
  std::longjmp(reader.jump, 1);
}

void read_bytes(png_structp png, png_bytep to, size_t count) {
  auto& reader = *static_cast<Reader*>(png_get_io_ptr(png));
  if (count > reader.bytes.size() - reader.position) {
    reader.is_truncated = true;
    png_error(png, "truncated");
  }
  std::memcpy(to, reader.bytes.data() + reader.position, count);
  reader.position += count;
}

bool read_header(Reader& r) {
  if (setjmp(r.jump)) return false;
  png_set_read_fn(r.png, &r, read_bytes);
  // Width and height alone are no danger; check_size() limits the area.
  png_set_user_limits(r.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  // Texts and profiles can be bombs of their own, and no pixel depends on them.
  static const png_byte kIgnored[] = "iCCP\0iTXt\0zTXt\0tEXt\0sPLT";
  png_set_keep_unknown_chunks(r.png, PNG_HANDLE_CHUNK_NEVER, kIgnored, 5);
  png_read_info(r.png, r.info);
  png_get_IHDR(r.png, r.info, &r.width, &r.height, &r.depth, &r.color, nullptr, nullptr, nullptr);
  return true;
}

bool set_transforms(Reader& r) {
  if (setjmp(r.jump)) return false;
  if (r.depth < 8) png_set_packing(r.png);
  if (r.depth == 16 && r.color != PNG_COLOR_TYPE_GRAY) png_set_strip_16(r.png);
  if (r.color & PNG_COLOR_MASK_ALPHA) png_set_strip_alpha(r.png);
  png_set_check_for_invalid_index(r.png, 0);
  png_set_interlace_handling(r.png);
  png_read_update_info(r.png, r.info);
  return true;
}

bool read_rows(Reader& r) {
  if (setjmp(r.jump)) return false;
  png_read_image(r.png, r.rows.data());
  return true;
}

void require_read(const Reader& r, bool ok) {
  require_whole(ok || !r.is_truncated, kName);
  require_sound(ok, kName, r.message);
}

using Lookup = std::array<std::array<uint8_t, 3>, 256>;

// A byte to RGB; indices beyond the palette are black, as Pillow shows them.
Lookup lookup_of(const Reader& r) {
  Lookup lookup{};
  if (r.color == PNG_COLOR_TYPE_PALETTE) {
    png_colorp palette = nullptr;
    int count = 0;
    png_get_PLTE(r.png, r.info, &palette, &count);
    for (int i = 0; i < std::min(count, 256); ++i)
      lookup[static_cast<size_t>(i)] = {palette[i].red, palette[i].green, palette[i].blue};
  } else {
    const int largest = r.depth < 8 ? (1 << r.depth) - 1 : 255;
    for (int i = 0; i <= largest; ++i) lookup[static_cast<size_t>(i)].fill(static_cast<uint8_t>(i * 255 / largest));
  }
  return lookup;
}

void look_up(const Reader& r, Image& image) {
  const auto lookup = lookup_of(r);
  const bool is_wide = r.depth == 16 && r.color == PNG_COLOR_TYPE_GRAY;
  const size_t pixels = image.rgb.size() / 3;
  uint8_t* to = image.rgb.data();
  for (size_t i = 0; i < pixels; ++i, to += 3) {
    // Pillow's I;16 to RGB cuts off at 255.
    const auto& color = is_wide ? lookup[r.raw[2 * i] ? 255 : r.raw[2 * i + 1]] : lookup[r.raw[i]];
    std::memcpy(to, color.data(), 3);
  }
}

// The eXIf chunk may stand after the pixels, so this walks the chunks itself.
std::string_view find_exif(std::string_view bytes) {
  for (size_t at = kSignature; bytes.size() - at >= 12;) {
    size_t length = 0;
    for (size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<uint8_t>(bytes[at + i]);
    if (length > bytes.size() - at - 12) break;
    if (bytes.substr(at + 4, 4) == "eXIf") return bytes.substr(at + 8, length);
    at += 12 + length;
  }
  return {};
}

}  // namespace

DecodedImage decode_png(std::string_view bytes, int64_t max_pixels) {
  Reader r(bytes);
  r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, jump_out, [](png_structp, png_const_charp) {});
  r.info = r.png == nullptr ? nullptr : png_create_info_struct(r.png);
  if (r.info == nullptr) throw std::bad_alloc();
  require_read(r, read_header(r));
  DecodedImage out;
  out.image = blank_image(kName, r.width, r.height, max_pixels);
  require_read(r, set_transforms(r));
  const size_t row_bytes = png_get_rowbytes(r.png, r.info);
  const bool is_rgb = (r.color & PNG_COLOR_MASK_COLOR) && !(r.color & PNG_COLOR_MASK_PALETTE);
  if (!is_rgb) r.raw.resize(row_bytes * r.height);
  uint8_t* first = is_rgb ? out.image.rgb.data() : r.raw.data();
  for (png_uint_32 y = 0; y < r.height; ++y) r.rows.push_back(first + y * row_bytes);
  require_read(r, read_rows(r));
  if (!is_rgb) look_up(r, out.image);
  out.orientation = exif_orientation(find_exif(bytes));
  return out;
}

}  // namespace normscope
