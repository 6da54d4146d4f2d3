// Resizing as Pillow does it, to the byte.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "images/image.h"

namespace normscope {

// The value is PIL's number.
enum class Resample { Nearest = 0, Lanczos = 1, Bilinear = 2, Bicubic = 3, Box = 4, Hamming = 5 };

// "nearest", "lanczos", "bilinear", "bicubic", "box", "hamming".
std::optional<Resample> find_resample(std::string_view name);

// Equal to Pillow's Image.resize((width, height), filter) in every byte. image, width and height hold at least one
// pixel. One thread.
Image resize(const Image& image, int64_t width, int64_t height, Resample filter);

}  // namespace normscope
