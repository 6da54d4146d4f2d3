// Where the bytes of one picture lie.
#pragma once
#include <cstdint>
#include <string>

namespace normscope {

// Where one picture is: an encoded file of its own, or raw pixels inside a file of many.
struct ImageSource {
  std::string file;
  int64_t offset = -1;  // of raw pixels in the (unzipped) file; -1: the file is one encoded picture
  int64_t width = 0, height = 0, channels = 0;  // of raw pixels; channels: 1 gray, 3 RGB
  bool is_planar = false;                       // channel after channel (CIFAR), else interleaved
};

}  // namespace normscope
