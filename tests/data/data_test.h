// What the data tests share: files written for one test, and the message of an expected Error.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.h"

namespace normscope {

// A folder of its own for each test, removed at the end.
class DataFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              ("normscope_" + std::string(test->name()) + "_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // `name` may have folders, which are made.
  std::string write(const std::string& name, const std::string& bytes) {
    const auto path = (folder_ / name).string();
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  std::filesystem::path folder_;
};

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
