// Each component by itself against the tokenizers library; tests/reference/make_tokenizer_components.py wrote
// the cases.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tokenizers/tokenizer.h"

namespace normscope {
namespace {

using nlohmann::json;

TEST(Components, EqualTheReference) {
  std::ifstream file(std::filesystem::path(NORMSCOPE_FIXTURES) / "tokenizers/components.jsonl");
  std::string line;
  size_t count = 0;
  while (std::getline(file, line)) {
    const json entry = json::parse(line);
    SCOPED_TRACE("tokenizer " + std::to_string(++count) + ": " + entry["name"].get<std::string>());
    const auto tokenizer = parse_tokenizer(entry["tokenizer"].dump(), "components.jsonl");
    EXPECT_EQ(tokenizer->vocab_size(), entry["vocab_size"]);
    for (const json& expected : entry["cases"]) {
      SCOPED_TRACE(expected["text"].dump());
      const std::string text = expected["text"];
      const Encoding encoding = tokenizer->encode(text);
      EXPECT_EQ(json(encoding.ids), expected["ids"]);
      EXPECT_EQ(json(encoding.tokens), expected["tokens"]);
      EXPECT_EQ(json(encoding.offsets), expected["offsets"]);
      EXPECT_EQ(tokenizer->decode(encoding.ids), expected["decoded"]);
      EXPECT_EQ(json(tokenizer->encode_ids(text, 6)), expected["truncated_to_6"]);
    }
  }
  EXPECT_EQ(count, 53u);
}

}  // namespace
}  // namespace normscope
