// Which norm a measured value belongs to.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

struct NormPlace {
  std::string name;  // published parameter prefix
  int layer = -1;    // block; -1 outside blocks
  std::string role;
};

// A named list of one value a row, of a struct that holds such lists for one norm.
template <typename Norm>
struct RowField {
  std::string_view name;
  std::vector<double> Norm::*member;
};

}  // namespace normscope
