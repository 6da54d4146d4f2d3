// Text on its way through normalizers and pre-tokenizers, where every byte knows the code point it came from.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// A code point of the normalized text and the index of the original code point it stands for.
struct AlignedChar {
  char32_t value;
  uint32_t source;
};

// Original code point of what was inserted before anything could be copied: the empty range at 0.
constexpr uint32_t kNoSource = 0xffffffff;

struct AlignedText {
  std::string text;               // valid UTF-8
  std::vector<uint32_t> sources;  // one a byte; empty while byte i came from code point first + i
  uint32_t first = 0;

  uint32_t source(size_t byte) const { return sources.empty() ? first + static_cast<uint32_t>(byte) : sources[byte]; }
  // Original code points [begin, end) of a non-empty byte range.
  uint32_t begin_of(size_t first_byte) const {
    const uint32_t at = source(first_byte);
    return at == kNoSource ? 0 : at;
  }
  uint32_t end_of(size_t end_byte) const {
    const uint32_t at = source(end_byte - 1);
    return at == kNoSource ? 0 : at + 1;
  }

  // Takes over `original`, whose first code point has index `first_source`.
  void assign(std::string_view original, uint32_t first_source);
  std::vector<AlignedChar> to_chars() const;
  void from_chars(const std::vector<AlignedChar>& chars);
};

// A rewriting of chars: each entry is a new code point and how it relates to the old ones.
// Source: tokenizers NormalizedString::transform. change > 0: inserted, takes the origin of the old code
// point before it; 0: replaces the next old one; -n: replaces the next one and drops the n after it.
struct CharEdit {
  char32_t value;
  int32_t change;
};
void apply_edits(std::vector<AlignedChar>& chars, const std::vector<CharEdit>& edits);

// A part of the text: to be split and tokenized, or an added token that is left alone.
struct Piece {
  uint32_t begin, end;    // bytes
  int32_t added_id = -1;  // id of an added token
};

}  // namespace normscope
