// Decoded pictures of one split, and what number each of their bytes is to the model.
#pragma once
#include <torch/types.h>

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "core/file.h"

namespace normscope {

// All of one size. The bytes lie in a mapped file, so that a split takes no memory but the batch at hand.
struct Pictures {
  int64_t height = 0, width = 0;
  std::vector<const uint8_t*> rgb;                    // one a row: [height, width, 3]
  std::array<std::array<float, 256>, 3> values = {};  // of a byte in each channel
  std::shared_ptr<const MappedFile> file;             // keeps `rgb`; null where the caller does

  int64_t count() const { return static_cast<int64_t>(rgb.size()); }
};

// Pictures `indices` as [B, 3, height, width] float32.
torch::Tensor pixel_values(const Pictures& pictures, std::span<const int64_t> indices);

}  // namespace normscope
