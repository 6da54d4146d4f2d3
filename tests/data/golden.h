// Reads the golden files.
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

// One list of a fixture, by value: a loop may walk the result of the call itself.
inline nlohmann::json fixture_json(const std::string& name, const std::string& key) {
  auto list = fixture_json(name).at(key);
  EXPECT_FALSE(list.empty()) << key;
  return list;
}

}  // namespace normscope
