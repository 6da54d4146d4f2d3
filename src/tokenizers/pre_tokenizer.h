// Pre-tokenizers: where a normalized text is cut into words.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tokenizers/aligned_text.h"
#include "tokenizers/json_part.h"
#include "tokenizers/pattern.h"

namespace normscope {

class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  // Replaces each piece that is no added token by its parts, none of them empty.
  virtual void split(AlignedText& text, std::vector<Piece>& pieces) const = 0;
  // The model reads the pieces as bytes, each standing for one printable character.
  virtual bool is_byte_level() const { return false; }
};

// "pre_tokenizer" of a tokenizer.json. Throws Error(Checkpoint) naming a type that is not supported.
std::unique_ptr<const PreTokenizer> make_pre_tokenizer(const JsonPart& part);

std::unique_ptr<const PreTokenizer> make_bert_pre_tokenizer();
std::unique_ptr<const PreTokenizer> make_whitespace();
std::unique_ptr<const PreTokenizer> make_whitespace_split();
std::unique_ptr<const PreTokenizer> make_digits(const JsonPart& part);
std::unique_ptr<const PreTokenizer> make_punctuation(const JsonPart& part);
std::unique_ptr<const PreTokenizer> make_split(const JsonPart& part);
std::unique_ptr<const PreTokenizer> make_byte_level(const JsonPart& part);

// What happens to a match; the names are those of tokenizer.json.
enum class SplitBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };
SplitBehavior parse_split_behavior(const JsonPart& part);

// The parts of [0, length) when `matches` (ascending, disjoint) are treated by `behavior`; appended to
// `parts`. inverted: what lies between the matches is the match.
void split_at_matches(const std::vector<Range>& matches, uint32_t length, SplitBehavior behavior, bool inverted,
                      std::vector<Range>& parts);

// Calls cut(word, parts) for each piece that is no added token; parts are relative to the word.
template <typename Cut>
void replace_pieces(const AlignedText& text, std::vector<Piece>& pieces, const Cut& cut) {
  std::vector<Piece> replaced;
  replaced.reserve(pieces.size() + text.text.size() / 4);
  std::vector<Range> parts;
  for (const Piece& piece : pieces) {
    if (piece.added_id >= 0) {
      replaced.push_back(piece);
      continue;
    }
    parts.clear();
    cut(std::string_view(text.text).substr(piece.begin, piece.end - piece.begin), parts);
    for (const Range& part : parts)
      if (part.begin < part.end) replaced.push_back({piece.begin + part.begin, piece.begin + part.end});
  }
  pieces.swap(replaced);
}

}  // namespace normscope
