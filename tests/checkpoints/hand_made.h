// Checkpoint bytes built by hand, for tests of what must be refused.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "core/error.h"
#include "core/file.h"

namespace normscope {

inline std::string little_endian(uint64_t value, size_t num_bytes) {
  std::string bytes(num_bytes, '\0');
  std::memcpy(bytes.data(), &value, num_bytes);
  return bytes;
}

inline std::string safetensors_bytes(const std::string& header, const std::string& tensors) {
  return little_endian(header.size(), 8) + header + tensors;
}

inline std::string fixture_bytes(const std::string& name) {
  return read_file(std::filesystem::path(NORMSCOPE_FIXTURES) / name, ErrorKind::Data);
}

// What `call` refuses its input with; "accepted" when it does not.
template <typename Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Checkpoint);
    return error.what();
  }
  return "accepted";
}

// An empty folder of this process's own: ctest runs tests side by side.
inline std::filesystem::path empty_folder(const std::string& name) {
  const auto folder =
      std::filesystem::path(testing::TempDir()) / ("normscope_" + name + "_" + std::to_string(::getpid()));
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

}  // namespace normscope
