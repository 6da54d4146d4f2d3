// Tokens that were added to a model: found in the text before anything else, never cut.
// Source: tokenizers AddedVocabulary.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tokenizers/aligned_text.h"
#include "tokenizers/json_part.h"
#include "tokenizers/normalizer.h"
#include "tokenizers/vocabulary.h"

namespace normscope {

struct AddedToken {
  int32_t id = -1;
  std::string content;
  std::string shown;         // the content; of a normalized token the normalized one, as the library has it
  bool single_word = false;  // only where no word character stands beside it
  bool lstrip = false;       // takes the white space before it along
  bool rstrip = false;
  bool normalized = true;  // is looked for in the normalized text, itself normalized
  bool special = false;    // is left out of decoded text
};

// Finds several literals at once: the leftmost, of those that begin there the longest.
class LiteralSet {
 public:
  void add(std::string literal, int32_t id);
  bool empty() const { return literals_.empty(); }
  // Position of the first literal at or after `from`, npos when there is none.
  size_t find(std::string_view text, size_t from, int32_t& id, size_t& length) const;

 private:
  struct Literal {
    std::string text;
    int32_t id;
  };
  std::vector<Literal> literals_;  // longest first
  std::array<std::vector<uint32_t>, 256> by_first_byte_;
};

class AddedTokens {
 public:
  // "added_tokens" of a tokenizer.json. As the library does, a token takes its id from the model's
  // vocabulary, or the next free one; the file's "id" says nothing else when the file is whole.
  AddedTokens(const JsonPart& tokenizer, const Vocabulary& vocabulary, const Normalizer* normalizer);

  // Cuts the piece [0, text.size()) at the tokens that are looked for before, or after normalization.
  void split(std::string_view text, bool normalized, std::vector<Piece>& pieces) const;
  bool has_normalized() const { return !normalized_.empty(); }

  const AddedToken* find(int64_t id) const;
  // Whether decoding leaves it out; the library asks for the text, not for the id.
  bool is_special(const std::string& token) const { return special_.contains(token); }
  int32_t id(std::string_view content) const;  // -1 when there is none
  // Number of tokens that the model's vocabulary lacks.
  size_t num_beyond_vocabulary() const { return num_beyond_; }

 private:
  void add(AddedToken token, const Vocabulary& vocabulary);

  std::unordered_map<int32_t, AddedToken> tokens_;  // by id
  std::unordered_map<std::string, int32_t> ids_;
  std::unordered_set<std::string> special_;
  LiteralSet raw_, normalized_;
  int32_t next_id_;
  size_t num_beyond_ = 0;
};

}  // namespace normscope
