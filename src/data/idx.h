// The idx files of MNIST and its kin: arrays of unsigned bytes.
// Source: Y. LeCun, C. Cortes, C. Burges, "The MNIST database": magic 00 00 08 <dimensions>, big-endian sizes, bytes.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

struct IdxArray {
  std::vector<int64_t> shape;  // 1 to 4 dimensions
  std::string_view values;     // row-major, as many as the shape says
  int64_t offset = 0;          // of the values in the file
};

// Throws Error(Data) naming the file, what was expected and what came.
IdxArray parse_idx(std::string_view bytes, const std::string& file);

}  // namespace normscope
