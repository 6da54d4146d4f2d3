// WordPiece: a word is cut into the longest tokens from left to right.
// Source: tokenizers models::WordPiece.
#include <string>

#include "core/error.h"
#include "tokenizers/model.h"
#include "tokenizers/string_hash.h"
#include "tokenizers/unicode.h"

namespace normscope {
namespace {

class WordPiece final : public SubwordModel {
 public:
  explicit WordPiece(const JsonPart& part)
      : SubwordModel(part.at("vocab")), prefix_(part.text_or("continuing_subword_prefix", "##")) {
    if (part.has("max_input_chars_per_word")) {
      const JsonPart limit = part.at("max_input_chars_per_word");
      if (limit.as_integer() < 0) limit.fail("a number of characters");
      max_characters_ = static_cast<size_t>(limit.as_integer());
    }
    const std::string unknown = part.text_or("unk_token", "[UNK]");
    unknown_id_ = vocabulary_.id(unknown);
    require(unknown_id_ >= 0, ErrorKind::Checkpoint, part.place(), ": expected the unknown token \"", unknown,
            "\" in the vocabulary, found none");
  }

  void tokenize(std::string_view word, WordCache& cache, std::vector<Symbol>& symbols) const override {
    const int32_t whole = word.size() <= max_characters_ ? vocabulary_.id(word) : -1;
    if (whole >= 0) {
      symbols.push_back({whole, static_cast<uint32_t>(word.size())});
      return;
    }
    const uint64_t hash = string_hash(word);
    bool found = false;
    const auto remembered = cache.find(word, hash, found);
    if (found) {
      symbols.insert(symbols.end(), remembered.begin(), remembered.end());
      return;
    }
    const size_t first = symbols.size();
    if (count_code_points(word) > max_characters_ || !cut(word, symbols)) {
      symbols.resize(first);
      symbols.push_back({unknown_id_, static_cast<uint32_t>(word.size())});
    }
    cache.store(word, hash, std::span(symbols).subspan(first));
  }

 private:
  bool cut(std::string_view word, std::vector<Symbol>& symbols) const {
    std::string candidate;
    for (size_t begin = 0; begin < word.size();) {
      candidate.assign(begin == 0 ? "" : prefix_);
      const size_t prefix_bytes = candidate.size();
      const size_t longest =
          vocabulary_.longest_bytes() > prefix_bytes ? vocabulary_.longest_bytes() - prefix_bytes : 0;
      candidate.append(word.substr(begin, longest));
      int32_t id = -1;
      for (; candidate.size() > prefix_bytes; candidate.pop_back()) {
        // A cut inside of a code point finds nothing, for the vocabulary is valid UTF-8.
        id = vocabulary_.id(candidate);
        if (id >= 0) break;
      }
      if (id < 0) return false;
      const size_t length = candidate.size() - prefix_bytes;
      symbols.push_back({id, static_cast<uint32_t>(length)});
      begin += length;
    }
    return true;
  }

  std::string prefix_;
  size_t max_characters_ = 100;
  int32_t unknown_id_;
};

}  // namespace

std::unique_ptr<const SubwordModel> make_wordpiece(const JsonPart& part) { return std::make_unique<WordPiece>(part); }

std::unique_ptr<const SubwordModel> make_model(const JsonPart& part, bool byte_level) {
  // Older files leave the type out; only BPE has merges.
  const std::string type = part.text_or("type", part.has("merges") ? "BPE" : "WordPiece");
  if (type == "BPE") return make_bpe(part, byte_level);
  if (type == "WordPiece" && byte_level) part.fail_unsupported("model under ByteLevel", type);
  if (type == "WordPiece") return make_wordpiece(part);
  part.fail_unsupported("model", type);
}

}  // namespace normscope
