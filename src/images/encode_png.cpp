#include "images/encode_png.h"

#include <png.h>

#include <cassert>

#include "core/error.h"

namespace normscope {

std::string encode_png(const Image& image) {
  assert(image.width > 0 && image.height > 0);
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(header), '\0');
  png_alloc_size_t size = bytes.size();
  const int written = png_image_write_to_memory(&header, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr);
  require(written != 0, ErrorKind::Run, "a picture cannot be written as PNG: ", header.message);
  bytes.resize(size);
  return bytes;
}

}  // namespace normscope
