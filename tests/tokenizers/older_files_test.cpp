// Tokenizers from before tokenizer.json: which scheme the files mean, and what their settings change.
#include <gtest/gtest.h>

#include <string>

#include "core/error.h"
#include "tokenizers/temporary_folder.h"
#include "tokenizers/tokenizer.h"

namespace normscope {
namespace {

using Ids = std::vector<int64_t>;

constexpr std::string_view kWords =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nhello\nHello\nn\xc3\xa9\nne\n\xe4\xb8\xad\n##\xe4\xb8\xad\n";
constexpr std::string_view kMerges = "#version: 0.2\n\xc4\xa0 h\n\xc4\xa0h i\nh i\n";

// h, i, the blank, the merged ones, and the special tokens of a scheme.
std::string bytes_vocabulary(const std::string& specials) {
  return "{" + specials + R"("h":10,"i":11,"Ġ":12,"hi":13,"Ġh":14,"Ġhi":15})";
}

std::string message_of(const TemporaryFolder& folder) {
  try {
    load_tokenizer(folder.path());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Checkpoint);
    return error.what();
  }
  return "nothing was thrown";
}

void write_bytes(const TemporaryFolder& folder, const std::string& specials) {
  folder.write("vocab.json", bytes_vocabulary(specials));
  folder.write("merges.txt", kMerges);
}

constexpr const char* kRoberta = R"("<s>":0,"<pad>":1,"</s>":2,"<unk>":3,"<mask>":4,)";

TEST(OlderFiles, VocabTxtAloneIsBertInLowerCase) {
  const TemporaryFolder folder;
  folder.write("vocab.txt", kWords);
  const auto tokenizer = load_tokenizer(folder.path());
  EXPECT_EQ(tokenizer->encode_ids("HELLO N\xc3\x89 [MASK] \xe4\xb8\xad\xe4\xb8\xad", 99), (Ids{2, 5, 8, 4, 9, 9, 3}));
  EXPECT_EQ(tokenizer->pad_token_id(), 0);
  EXPECT_EQ(tokenizer->vocab_size(), 11u);
  EXPECT_EQ(tokenizer->token_id("[MASK]"), 4);
  EXPECT_EQ(tokenizer->token_id("absent"), std::nullopt);
}

TEST(OlderFiles, BertSettings) {
  const TemporaryFolder folder;
  folder.write("vocab.txt", kWords);
  folder.write("tokenizer_config.json",
               R"({"do_lower_case": false, "strip_accents": false, "tokenize_chinese_chars": false,
                   "tokenizer_class": "ElectraTokenizerFast", "truncation_side": "left"})");
  const auto tokenizer = load_tokenizer(folder.path());
  EXPECT_EQ(tokenizer->encode_ids("Hello hello n\xc3\xa9 \xe4\xb8\xad\xe4\xb8\xad", 99), (Ids{2, 6, 5, 7, 9, 10, 3}));
  EXPECT_EQ(tokenizer->encode_ids("Hello hello n\xc3\xa9", 4), (Ids{2, 5, 7, 3}));  // the end is kept
}

TEST(OlderFiles, LowerCaseDecidesOnAccentsUnlessTheyAreSet) {
  const TemporaryFolder folder;
  folder.write("vocab.txt", kWords);
  folder.write("tokenizer_config.json", R"({"do_lower_case": true, "strip_accents": false})");
  EXPECT_EQ(load_tokenizer(folder.path())->encode_ids("N\xc3\x89", 99), (Ids{2, 7, 3}));
  folder.write("tokenizer_config.json", R"({"do_lower_case": false, "strip_accents": true})");
  EXPECT_EQ(load_tokenizer(folder.path())->encode_ids("n\xc3\xa9", 99), (Ids{2, 8, 3}));
}

TEST(OlderFiles, RobertaByClassByModelTypeAndByVocabulary) {
  const TemporaryFolder folder;
  write_bytes(folder, kRoberta);
  const Ids expected{0, 13, 4, 15, 2};  // the mask takes the blank before it
  const auto ids = [&] { return load_tokenizer(folder.path())->encode_ids("hi <mask> hi", 99); };
  EXPECT_EQ(ids(), expected);
  folder.write("config.json", R"({"model_type": "roberta-prelayernorm"})");
  EXPECT_EQ(ids(), expected);
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "LongformerTokenizer", "add_prefix_space": true})");
  EXPECT_EQ(ids(), (Ids{0, 15, 4, 15, 2}));
  EXPECT_EQ(load_tokenizer(folder.path())->encode("hi").offsets[1], (std::pair<int64_t, int64_t>{0, 2}));
  EXPECT_EQ(load_tokenizer(folder.path())->pad_token_id(), 1);
}

TEST(OlderFiles, DebertaByVocabularyKeepsBlanksInOffsets) {
  const TemporaryFolder folder;
  write_bytes(folder, R"("[PAD]":0,"[CLS]":1,"[SEP]":2,"[UNK]":3,"[MASK]":4,)");
  const Encoding encoding = load_tokenizer(folder.path())->encode("hi hi [MASK]");
  EXPECT_EQ(encoding.ids, (Ids{1, 13, 15, 4, 2}));
  EXPECT_EQ(encoding.offsets[2], (std::pair<int64_t, int64_t>{2, 5}));
}

TEST(OlderFiles, Gpt2WithAddedTokens) {
  const TemporaryFolder folder;
  write_bytes(folder, R"("<|endoftext|>":0,)");
  EXPECT_EQ(load_tokenizer(folder.path())->encode_ids("hi hi", 99), (Ids{13, 15}));
  EXPECT_EQ(load_tokenizer(folder.path())->pad_token_id(), std::nullopt);
  folder.write("added_tokens.json", R"({"<extra>": 8, "<pad>": 7})");
  folder.write("special_tokens_map.json", R"({"pad_token": {"content": "<pad>", "lstrip": false}})");
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "GPT2Tokenizer", "add_bos_token": true})");
  const auto tokenizer = load_tokenizer(folder.path());
  // The vocabulary has 7 tokens, so the library numbers the added ones from 7 on.
  EXPECT_EQ(tokenizer->encode_ids("hi<pad><extra>", 99), (Ids{0, 13, 7, 8}));
  EXPECT_EQ(tokenizer->pad_token_id(), 7);
  EXPECT_EQ(tokenizer->decode(Ids{0, 13, 7, 8}), "hi<extra>");  // an added token that is not special is text
}

TEST(OlderFiles, Qwen2ByAddedTokensDecoder) {
  const TemporaryFolder folder;
  write_bytes(folder, "");
  folder.write("config.json", R"({"model_type": "qwen2"})");
  folder.write("tokenizer_config.json",
               R"({"added_tokens_decoder": {"7": {"content": "<|im_start|>", "special": true},
                                            "6": {"content": "<|endoftext|>", "special": true}},
                   "eos_token": "<|im_start|>", "pad_token": "<|endoftext|>", "unk_token": null})");
  const auto tokenizer = load_tokenizer(folder.path());
  EXPECT_EQ(tokenizer->encode_ids("<|endoftext|>hi hi<|im_start|>", 99), (Ids{6, 13, 15, 7}));
  EXPECT_EQ(tokenizer->pad_token_id(), 6);
}

TEST(OlderFiles, MessagesNameTheFile) {
  const TemporaryFolder folder;
  const std::string place = folder.path().string();
  EXPECT_EQ(message_of(folder),
            place + ": expected a tokenizer.json, a vocab.txt, or a vocab.json with merges.txt, found none");
  folder.write("vocab.json", bytes_vocabulary(kRoberta));
  EXPECT_EQ(message_of(folder), place + "/merges.txt: cannot be read: No such file or directory");
  folder.write("merges.txt", "h i\nh  i\n");
  EXPECT_EQ(message_of(folder),
            place + "/vocab.json.model.merges[1]: expected two tokens with one blank between them, found \"h  i\"");
  folder.write("merges.txt", "h h\n");
  EXPECT_EQ(message_of(folder), place +
                                    "/vocab.json.model.merges[0]: expected tokens of the vocabulary (\"hh\" is "
                                    "none), found \"h h\"");
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "XLNetTokenizer"})");
  EXPECT_EQ(message_of(folder), place +
                                    "/tokenizer_config.json: the tokenizer_class \"XLNetTokenizer\" is not "
                                    "supported without a tokenizer.json");
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "BertTokenizer"})");
  EXPECT_EQ(message_of(folder), place + ": expected a vocab.txt for its tokenizer class, found vocab.json");
  folder.write("tokenizer_config.json", "[1]");
  EXPECT_EQ(message_of(folder), place + "/tokenizer_config.json: expected an object, found a list");
}

TEST(OlderFiles, SpecialTokensMustBeInTheVocabulary) {
  const TemporaryFolder folder;
  folder.write("vocab.txt", "[UNK]\n[CLS]\nhello\n");
  EXPECT_EQ(message_of(folder), folder.path().string() +
                                    "/vocab.txt: expected the special token \"[SEP]\" in the "
                                    "vocabulary, found none");
  folder.write("vocab.txt", "\xff\n");
  EXPECT_EQ(message_of(folder), folder.path().string() + "/vocab.txt: expected UTF-8, found byte 0 that is none");
}

TEST(OlderFiles, FilesToCopyAreThoseThatExist) {
  const TemporaryFolder folder;
  folder.write("vocab.txt", kWords);
  folder.write("tokenizer_config.json", "{}");
  folder.write("model.safetensors", "");
  EXPECT_EQ(tokenizer_files(folder.path()),
            (std::vector<std::filesystem::path>{folder.path() / "tokenizer_config.json", folder.path() / "vocab.txt"}));
}

}  // namespace
}  // namespace normscope
