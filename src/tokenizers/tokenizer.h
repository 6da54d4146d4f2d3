// Tokenizers: text to token ids and back, as a checkpoint's own tokenizer files say.
// Source: the Rust library tokenizers 0.23; the same ids, tokens, offsets and decoded text.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tokenizers/json_part.h"

namespace normscope {

struct Encoding {
  std::vector<int64_t> ids;
  std::vector<std::string> tokens;
  std::vector<std::pair<int64_t, int64_t>> offsets;  // [begin, end) in code points; special tokens have [0, 0)
};

// Immutable; any number of threads may use one at a time.
// Text that is not UTF-8 is read with U+FFFD in place of what is wrong.
class Tokenizer {
 public:
  struct Parts;
  explicit Tokenizer(std::unique_ptr<const Parts> parts);
  ~Tokenizer();

  // With the special tokens of a model's input, without truncation.
  Encoding encode(std::string_view text) const;
  // Truncated as transformers truncates: the special tokens stay. Throws Error(Usage) when they alone are
  // more than max_length.
  std::vector<int64_t> encode_ids(std::string_view text, size_t max_length) const;
  // Special tokens and ids that no token has are left out.
  std::string decode(std::span<const int64_t> ids) const;

  size_t vocab_size() const;  // number of tokens, added ones included
  std::optional<int64_t> pad_token_id() const;
  std::optional<int64_t> token_id(std::string_view token) const;
  std::string token(int64_t id) const;  // empty when no token has the id

 private:
  std::unique_ptr<const Parts> parts_;
};

// A checkpoint's folder (tokenizer.json, or the older vocab.txt, or vocab.json and merges.txt) or a
// tokenizer.json. Throws Error(Checkpoint) naming file and key.
std::shared_ptr<const Tokenizer> load_tokenizer(const std::filesystem::path& folder_or_file);

// A tokenizer.json's bytes; `place` names it in errors. Settings for truncation and padding in it are not
// used.
std::shared_ptr<const Tokenizer> parse_tokenizer(std::string_view json_bytes, const std::string& place);

// The files of `folder` that a copy of the checkpoint needs for its tokenizer, those that exist.
std::vector<std::filesystem::path> tokenizer_files(const std::filesystem::path& folder);

// encode_ids of every text; the same for any number of threads.
std::vector<std::vector<int64_t>> encode_rows(const Tokenizer& tokenizer, std::span<const std::string> texts,
                                              size_t max_length, int num_threads);

}  // namespace normscope
