// Where one picture is: an encoded file of its own, or raw pixels inside a file of many.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "images/image.h"

namespace normscope {

struct ImageSource {
  std::string file;
  int64_t offset = -1;  // of raw pixels in the (unzipped) file; -1: the file is one encoded picture
  int64_t width = 0, height = 0, channels = 0;  // of raw pixels; channels: 1 gray, 3 RGB
  bool is_planar = false;                       // channel after channel (CIFAR), else interleaved
};

// Whether the file holds bare pixels there, not an encoded picture.
bool is_raw(const ImageSource& source);

// The picture that raw pixels are; `bytes` are exactly its own.
Image raw_image(std::string_view bytes, const ImageSource& source);

// The file, for raw pixels with their place: "batch.bin at byte 3074".
std::string place_of(const ImageSource& source);

}  // namespace normscope
