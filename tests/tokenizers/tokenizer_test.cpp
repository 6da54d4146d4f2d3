// Truncation, threads, wrong text, and the messages of a tokenizer.json that does not load.
#include "tokenizers/tokenizer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.h"

namespace normscope {
namespace {

using nlohmann::json;
using Ids = std::vector<int64_t>;

std::shared_ptr<const Tokenizer> mini(const std::string& kind) {
  return load_tokenizer(std::filesystem::path(NORMSCOPE_FIXTURES) / "tokenizers" / kind);
}

template <typename Call>
std::string message_of(ErrorKind kind, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "nothing was thrown";
}

// A whole WordPiece file with one part replaced.
std::string with(const std::string& key, const json& part) {
  json file = {{"added_tokens", json::array()},
               {"normalizer", {{"type", "BertNormalizer"}}},
               {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
               {"post_processor", nullptr},
               {"decoder", {{"type", "WordPiece"}}},
               {"model", {{"type", "WordPiece"}, {"unk_token", "[UNK]"}, {"vocab", {{"[UNK]", 0}, {"a", 1}}}}}};
  file[json::json_pointer(key)] = part;
  return file.dump();
}

std::string load_message(const std::string& bytes) {
  return message_of(ErrorKind::Checkpoint, [&] { parse_tokenizer(bytes, "t.json"); });
}

TEST(Tokenizer, TruncationKeepsTheSpecialTokens) {
  const auto tokenizer = mini("mini_wordpiece_uncased");
  const std::string text = "i feel like this was a long day";
  const Ids whole = tokenizer->encode(text).ids;
  EXPECT_EQ(tokenizer->encode_ids(text, whole.size()), whole);
  Ids expected(whole.begin(), whole.begin() + 4);
  expected.push_back(whole.back());
  EXPECT_EQ(tokenizer->encode_ids(text, 5), expected);
  EXPECT_EQ(tokenizer->encode_ids(text, 2), (Ids{whole.front(), whole.back()}));
  EXPECT_EQ(message_of(ErrorKind::Usage, [&] { tokenizer->encode_ids(text, 1); }),
            "max_length: expected at least 2 for the special tokens, found 1");
}

TEST(Tokenizer, SettingsInTheFileDoNotTruncateOrPad) {
  json file = json::parse(with("/truncation", {{"max_length", 2}, {"strategy", "LongestFirst"}, {"stride", 0}}));
  file["padding"] = {{"strategy", {{"Fixed", 8}}}, {"pad_id", 7}, {"pad_token", "[PAD]"}};
  const auto tokenizer = parse_tokenizer(file.dump(), "t.json");
  EXPECT_EQ(tokenizer->encode("a a a a").ids, (Ids{1, 1, 1, 1}));
  EXPECT_EQ(tokenizer->pad_token_id(), 7);
}

TEST(Tokenizer, RowsAreTheSameForAnyNumberOfThreads) {
  for (const char* kind : {"mini_wordpiece_uncased", "mini_byte_bpe_roberta", "mini_byte_bpe_qwen2"}) {
    const auto tokenizer = mini(kind);
    std::vector<std::string> texts;
    for (int i = 0; i < 500; ++i) texts.push_back("row " + std::to_string(i * 7919) + " caf\xc3\xa9 don't stop");
    const auto one = encode_rows(*tokenizer, texts, 12, 1);
    ASSERT_EQ(one.size(), texts.size());
    for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(one[i], tokenizer->encode_ids(texts[i], 12));
    EXPECT_EQ(encode_rows(*tokenizer, texts, 12, 4), one);
    EXPECT_EQ(encode_rows(*mini(kind), texts, 12, 3), one);
  }
}

TEST(Tokenizer, WrongUtf8IsReadAsReplacementCharacters) {
  const auto tokenizer = mini("mini_byte_bpe_gpt2");
  // By Unicode's rule of maximal parts: E4 B8 is one, each of F0 80 and FF its own.
  EXPECT_EQ(tokenizer->encode("a\xe4\xb8 \xf0\x80\xff").ids,
            tokenizer->encode("a\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd").ids);
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("b\xff").ids), "b\xef\xbf\xbd");
}

TEST(Tokenizer, ByteLevelDecodingGivesTheTextBack) {
  const auto tokenizer = mini("mini_byte_bpe_gpt2");
  std::string text;
  for (int c = 1; c < 0x250; ++c)
    text += c < 0x80 ? std::string(1, static_cast<char>(c))
                     : std::string{static_cast<char>(0xc0 | c >> 6), static_cast<char>(0x80 | (c & 0x3f))};
  EXPECT_EQ(tokenizer->decode(tokenizer->encode(text).ids), text);
}

TEST(Tokenizer, DecodingLeavesOutWhatNoTokenHas) {
  const auto tokenizer = parse_tokenizer(with("/decoder", nullptr), "t.json");
  EXPECT_EQ(tokenizer->decode(Ids{1, -5, 99, int64_t{1} << 40, 0}), "a [UNK]");
  EXPECT_EQ(tokenizer->token(1), "a");
  EXPECT_EQ(tokenizer->token(2), "");
}

TEST(TokenizerJson, NamesWhatIsNotSupported) {
  EXPECT_EQ(load_message(with("/normalizer/type", "Precompiled")),
            "t.json.normalizer: the normalizer \"Precompiled\" is not supported");
  EXPECT_EQ(load_message(with("/pre_tokenizer/type", "Metaspace")),
            "t.json.pre_tokenizer: the pre-tokenizer \"Metaspace\" is not supported");
  EXPECT_EQ(load_message(with("/model/type", "Unigram")), "t.json.model: the model \"Unigram\" is not supported");
  EXPECT_EQ(load_message(with("/post_processor", {{"type", "X"}})),
            "t.json.post_processor: the post-processor \"X\" is not supported");
  EXPECT_EQ(load_message(with("/decoder/type", "CTC")), "t.json.decoder: the decoder \"CTC\" is not supported");
  EXPECT_EQ(load_message(with("/pre_tokenizer/type", "ByteLevel")),
            "t.json.model: the model under ByteLevel \"WordPiece\" is not supported");
}

TEST(TokenizerJson, NamesTheKeyThatIsWrong) {
  EXPECT_EQ(load_message("{\"model\": "),
            "t.json: not valid JSON: [json.exception.parse_error.101] parse error at line 1, column 11: "
            "syntax error "
            "while parsing value - unexpected end of input; expected '[', '{', or a literal");
  EXPECT_EQ(load_message("[]"), "t.json: expected an object, found a list");
  EXPECT_EQ(load_message("{}"), "t.json: expected the key \"model\", found none");
  EXPECT_EQ(load_message(with("/model/vocab/a", -1)),
            "t.json.model.vocab[\"a\"]: expected an id from 0 to 4194303, found -1");
  EXPECT_EQ(load_message(with("/model/unk_token", "[NO]")),
            "t.json.model: expected the unknown token \"[NO]\" in the vocabulary, found none");
  EXPECT_EQ(load_message(with("/normalizer/lowercase", 1)),
            "t.json.normalizer.lowercase: expected true or false, found 1");
  EXPECT_EQ(load_message(
                with("/pre_tokenizer", {{"type", "Split"}, {"pattern", {{"Regex", "a("}}}, {"behavior", "Isolated"}})),
            "t.json.pre_tokenizer.pattern: expected a regular expression, found \"a(\": missing closing "
            "parenthesis "
            "(at 2)");
  EXPECT_EQ(load_message(with("/pre_tokenizer", {{"type", "Punctuation"}, {"behavior", "Glued"}})),
            "t.json.pre_tokenizer.behavior: expected Removed, Isolated, MergedWithPrevious, MergedWithNext or "
            "Contiguous, found \"Glued\"");
}

TEST(TokenizerJson, DeepNestingIsAnError) {
  json nested = {{"type", "NFC"}};
  for (int i = 0; i < 100; ++i) nested = {{"type", "Sequence"}, {"normalizers", {nested}}};
  EXPECT_NE(load_message(with("/normalizer", nested)).find("nested deeper than 32 levels"), std::string::npos);
}

TEST(TokenizerJson, CostlyPatternsEndInAnError) {
  const auto tokenizer = parse_tokenizer(
      with("/pre_tokenizer", {{"type", "Split"}, {"pattern", {{"Regex", "(a|aa)+$"}}}, {"behavior", "Isolated"}}),
      "t.json");
  EXPECT_EQ(message_of(ErrorKind::Checkpoint, [&] { tokenizer->encode(std::string(60, 'a') + "c"); }),
            "t.json.pre_tokenizer.pattern: the regular expression cannot be matched: match limit exceeded");
}

TEST(TokenizerJson, PatternsThatRecurseMatchLongTexts) {
  const auto tokenizer =
      parse_tokenizer(with("/pre_tokenizer",
                           {{"type", "Split"}, {"pattern", {{"Regex", "(?:a|b(?=a|$))*c"}}}, {"behavior", "Removed"}}),
                      "t.json");
  EXPECT_EQ(tokenizer->encode(std::string(200000, 'a') + "ca").ids, (Ids{1}));
}

TEST(LoadTokenizer, AFileThatIsAbsentIsNamed) {
  EXPECT_EQ(message_of(ErrorKind::Checkpoint, [] { load_tokenizer("/nowhere/tokenizer.json"); }),
            "/nowhere/tokenizer.json: cannot be read: No such file or directory");
}

}  // namespace
}  // namespace normscope
