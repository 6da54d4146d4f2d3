// Code points of UTF-8 text and the character classes that tokenizers ask for.
// Source: Unicode general categories by ICU; the classes are those of the Rust tokenizers library.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace normscope {

struct CodePoint {
  char32_t value;
  uint32_t length;  // in bytes, 1-4
};

// The code point that begins at byte `i` of valid UTF-8.
inline CodePoint code_point_at(std::string_view text, size_t i) {
  const auto byte = [&](size_t k) { return static_cast<char32_t>(static_cast<unsigned char>(text[i + k])); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xe0) return {(lead & 0x1f) << 6 | (byte(1) & 0x3f), 2};
  if (lead < 0xf0) return {(lead & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f), 3};
  return {(lead & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f), 4};
}

// The code point that ends before byte `end` (end >= 1) of valid UTF-8.
CodePoint code_point_before(std::string_view text, size_t end);

void append_utf8(std::string& text, char32_t code_point);

bool is_ascii(std::string_view text);
size_t count_code_points(std::string_view text);

// Each longest wrong part of a sequence becomes one U+FFFD, as WHATWG and Rust decode.
std::string replace_invalid_utf8(std::string_view bytes);

// Letters, numbers and spaces follow ICU's Unicode; the four below follow the older tables that the
// tokenizers library carries (Unicode 8 and 9), which a checkpoint's ids were made with: later characters are
// in none of them.
enum CharacterClass : uint8_t {
  kLetter = 1,        // \p{L}
  kNumber = 2,        // \p{N}
  kSpace = 4,         // White_Space
  kWord = 8,          // \w: Alphabetic, \p{M}, \p{Nd}, \p{Pc}, Join_Control
  kPunctuation = 16,  // \p{P} and every ASCII symbol
  kControl = 32,      // what BERT's cleaning drops: Cc, Cf, Co but for tab, line feed, carriage return
  kAccent = 64,       // \p{Mn}: what BERT's accent stripping drops
  kCombining = 128,   // \p{M}: what StripAccents drops
};

uint8_t non_ascii_classes(char32_t code_point);
extern const std::array<uint8_t, 128> kAsciiClasses;

// Union of the CharacterClass bits that hold.
inline uint8_t character_classes(char32_t code_point) {
  return code_point < 0x80 ? kAsciiClasses[code_point] : non_ascii_classes(code_point);
}

// First version of Unicode that has the code point; INT_MAX for unassigned ones.
int unicode_age(char32_t code_point);

bool is_cjk_ideograph(char32_t code_point);  // the blocks that BERT surrounds with spaces

// Full lower case of one code point, without context; appended to `lowered`, 1-3 code points.
void append_lower_case(std::u32string& lowered, char32_t code_point);

}  // namespace normscope
