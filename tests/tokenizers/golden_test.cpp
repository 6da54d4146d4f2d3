// Every case of every kind: ids, tokens, offsets and decoded text equal those of the tokenizers library.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tokenizers/tokenizer.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void expect_cases_equal(const Tokenizer& tokenizer, const fs::path& cases) {
  std::ifstream file(cases);
  std::string line;
  size_t count = 0;
  while (std::getline(file, line)) {
    const json expected = json::parse(line);
    const std::string text = expected["text"];
    SCOPED_TRACE("case " + std::to_string(++count) + ": " + expected["text"].dump());
    const Encoding encoding = tokenizer.encode(text);
    EXPECT_EQ(json(encoding.ids), expected["ids"]);
    EXPECT_EQ(json(encoding.tokens), expected["tokens"]);
    EXPECT_EQ(json(encoding.offsets), expected["offsets"]);
    EXPECT_EQ(tokenizer.decode(encoding.ids), expected["decoded"]);
    EXPECT_EQ(tokenizer.encode_ids(text, encoding.ids.size()), encoding.ids);
  }
  EXPECT_EQ(count, 262u);
}

class MiniKinds : public testing::TestWithParam<const char*> {};

TEST_P(MiniKinds, EqualTheReference) {
  const fs::path folder = fs::path(NORMSCOPE_FIXTURES) / "tokenizers" / GetParam();
  expect_cases_equal(*load_tokenizer(folder), folder / "cases.jsonl");
}

INSTANTIATE_TEST_SUITE_P(Golden, MiniKinds,
                         testing::Values("mini_byte_bpe_deberta", "mini_byte_bpe_gpt2", "mini_byte_bpe_prefix",
                                         "mini_byte_bpe_qwen2", "mini_byte_bpe_roberta", "mini_wordpiece_cased",
                                         "mini_wordpiece_keep_accents", "mini_wordpiece_uncased"),
                         [](const auto& kind) { return std::string(kind.param); });

struct FullKind {
  const char* name;
  const char* cases;
  const char* vocabulary;
};

// The published vocabularies, which are not ours to commit, from the older files that they are published in.
class FullKinds : public testing::TestWithParam<FullKind> {};

TEST_P(FullKinds, EqualTheReference) {
  const fs::path shared = fs::path(NORMSCOPE_SOURCE) / "../shared";
  const fs::path vocabulary = shared / "data/tokenizers" / GetParam().vocabulary;
  const fs::path cases = shared / "fixtures/tokenizers" / GetParam().cases / "cases.jsonl";
  for (const fs::path& needed : {vocabulary, cases})
    if (!fs::exists(needed)) GTEST_SKIP() << "absent: " << needed;
  expect_cases_equal(*load_tokenizer(vocabulary), cases);
}

// ELECTRA's vocabulary is BERT's, Longformer's is RoBERTa's.
INSTANTIATE_TEST_SUITE_P(Golden, FullKinds,
                         testing::Values(FullKind{"bert", "bert-base-uncased", "bert-base-uncased"},
                                         FullKind{"electra", "bert-base-uncased", "electra"},
                                         FullKind{"deberta", "deberta-base", "deberta-base"},
                                         FullKind{"gpt2", "gpt2", "gpt2"},
                                         FullKind{"longformer", "roberta-base", "longformer"},
                                         FullKind{"qwen2", "qwen2", "qwen2"},
                                         FullKind{"roberta", "roberta-base", "roberta-base"}),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace normscope
