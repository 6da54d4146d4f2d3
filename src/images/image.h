// A decoded picture: 8-bit RGB, the one form that the rest of the program sees.
#pragma once
#include <cstdint>
#include <vector>

namespace normscope {

struct Image {
  int64_t width = 0, height = 0;
  std::vector<uint8_t> rgb;  // [height, width, 3]
};

}  // namespace normscope
