// Reads the golden files and runs the study's noise rule on them.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace normscope {

inline nlohmann::json fixture_json(const std::string& name) {
  std::ifstream file(std::string(NORMSCOPE_FIXTURES) + "/" + name);
  EXPECT_TRUE(file.good()) << name;
  return nlohmann::json::parse(file);
}

}  // namespace normscope
