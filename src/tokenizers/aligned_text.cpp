// Text on its way through normalizers and pre-tokenizers, where every byte knows the code point it came from.
#include "tokenizers/aligned_text.h"

#include <algorithm>

#include "tokenizers/unicode.h"

namespace normscope {

void AlignedText::assign(std::string_view original, uint32_t first_source) {
  text.assign(original);
  sources.clear();
  first = first_source;
  if (is_ascii(original)) return;
  sources.resize(original.size());
  uint32_t at = first_source - 1;
  for (size_t i = 0; i < original.size(); ++i) {
    at += (static_cast<unsigned char>(original[i]) & 0xc0) != 0x80;
    sources[i] = at;
  }
}

std::vector<AlignedChar> AlignedText::to_chars() const {
  std::vector<AlignedChar> chars;
  chars.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    chars.push_back({c.value, source(i)});
    i += c.length;
  }
  return chars;
}

void AlignedText::from_chars(const std::vector<AlignedChar>& chars) {
  text.clear();
  sources.clear();
  for (const AlignedChar& c : chars) {
    append_utf8(text, c.value);
    sources.resize(text.size(), c.source);
  }
}

void apply_edits(std::vector<AlignedChar>& chars, const std::vector<CharEdit>& edits) {
  std::vector<AlignedChar> edited;
  edited.reserve(edits.size());
  size_t next = 0;  // old code point that the coming edit replaces
  for (const CharEdit& edit : edits) {
    if (edit.change > 0) {
      edited.push_back({edit.value, next == 0 ? kNoSource : chars[next - 1].source});
    } else {
      // A text that holds the same code points in another order has as many edits as it had code points.
      edited.push_back({edit.value, chars[std::min(next, chars.size() - 1)].source});
      next = std::min(next + 1 + static_cast<size_t>(-edit.change), chars.size());
    }
  }
  chars = std::move(edited);
}

}  // namespace normscope
