// What the image tests share: reference tensors, files, expected errors.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "checkpoints/safetensors.h"
#include "core/file.h"
#include "images/decode.h"

namespace normscope {

inline std::string image_fixture(const std::string& name) {
  return std::string(NORMSCOPE_FIXTURES) + "/images/" + name;
}

// Outside the repository; tests that need it skip and name it.
inline std::string shared_images() { return std::string(NORMSCOPE_SOURCE) + "/../shared/fixtures/images/"; }

inline std::string file_bytes(const std::string& path) { return read_file(path, ErrorKind::Data); }

// Named tensors that keep their file in memory.
struct Expected {
  std::string bytes;
  TensorViews tensors;
  explicit Expected(const std::string& path) : bytes(file_bytes(path)), tensors(parse_safetensors(bytes, nullptr)) {}
};

// Largest difference of a byte from the reference [height, width, 3]; 256 when the sizes differ.
inline int difference(const Image& image, const TensorView& expected) {
  if (expected.shape != std::vector<int64_t>{image.height, image.width, 3}) return 256;
  int largest = 0;
  for (size_t i = 0; i < image.rgb.size(); ++i)
    largest = std::max(largest, std::abs(image.rgb[i] - static_cast<uint8_t>(expected.bytes[i])));
  return largest;
}

inline int tolerance_of(const std::string& name) {
  return name.ends_with(".jpg") ? 1 : 0;  // libjpeg versions may round a transform differently
}

template <typename Call>
std::string error_of(const Call& call, ErrorKind kind) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "no error";
}

}  // namespace normscope
