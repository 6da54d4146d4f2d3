// Few numbers of a row's content that need no model: what feature-dependent label noise depends on.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "data/dataset.h"

namespace normscope {

inline constexpr int64_t kTextFeatures = 1024;          // hashed words
inline constexpr int64_t kPictureFeatures = 8 * 8 * 3;  // a small copy's bytes

// Sparse, by row: texts have 1 at each of their words' hashes (letters and digits, ASCII in lower case), pictures their
// 8 x 8 copy's RGB with mean 0 and deviation 1. Throws Error(Data) for a picture that cannot be read.
std::vector<std::vector<std::pair<int64_t, double>>> row_features(const Dataset& rows);

}  // namespace normscope
