// The vocabulary model: a word becomes tokens.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "tokenizers/json_part.h"
#include "tokenizers/vocabulary.h"
#include "tokenizers/word_cache.h"

namespace normscope {

class SubwordModel {
 public:
  virtual ~SubwordModel() = default;
  // Appends the tokens of a word that is not empty; lengths are in bytes of `word`.
  virtual void tokenize(std::string_view word, WordCache& cache, std::vector<Symbol>& symbols) const = 0;

  const Vocabulary& vocabulary() const { return vocabulary_; }

 protected:
  explicit SubwordModel(const JsonPart& vocabulary) : vocabulary_(vocabulary) {}
  Vocabulary vocabulary_;
};

// "model" of a tokenizer.json. byte_level: words come as bytes that stand for the byte-level alphabet.
// Throws Error(Checkpoint) naming a type or an option that is not supported.
std::unique_ptr<const SubwordModel> make_model(const JsonPart& part, bool byte_level);

std::unique_ptr<const SubwordModel> make_wordpiece(const JsonPart& part);
std::unique_ptr<const SubwordModel> make_bpe(const JsonPart& part, bool byte_level);

}  // namespace normscope
