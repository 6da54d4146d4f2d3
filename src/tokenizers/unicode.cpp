// Code points of UTF-8 text and the character classes that tokenizers ask for.
#include "tokenizers/unicode.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <climits>
#include <cstring>

#include "core/text.h"

namespace normscope {
namespace {

constexpr std::array<uint8_t, 128> ascii_classes() {
  std::array<uint8_t, 128> classes{};
  for (int c = 0; c < 128; ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool number = c >= '0' && c <= '9';
    const bool space = c == ' ' || (c >= '\t' && c <= '\r');
    const bool control = (c < ' ' || c == 0x7f) && c != '\t' && c != '\n' && c != '\r';
    uint8_t bits = 0;
    if (letter) bits |= kLetter;
    if (number) bits |= kNumber;
    if (space) bits |= kSpace;
    if (control) bits |= kControl;
    if (c > ' ' && c < 0x7f && !letter && !number) bits |= kPunctuation;
    if (letter || number || c == '_') bits |= kWord;
    classes[static_cast<size_t>(c)] = bits;
  }
  return classes;
}

// Categories as they stood in Unicode 8 (9 for kCombining); the code points named here have moved since.
uint8_t older_classes(UChar32 c, uint32_t category) {
  switch (c) {
    case 0x111c9:  // now Mn
    case 0x166d:   // now So
      return kPunctuation;
    case 0x1734:  // now Mc
      return kAccent | kCombining;
    case 0x1885:  // Mn since
    case 0x1886:
    case 0xa9bd:
    case 0x1cf2:  // now Lo
    case 0x1cf3:
      return kCombining;
    default:
      break;
  }
  constexpr uint32_t dropped = U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK;
  if (!(category & (U_GC_P_MASK | U_GC_M_MASK | dropped))) return 0;
  const int age = unicode_age(static_cast<char32_t>(c));
  uint8_t bits = 0;
  if (category & U_GC_M_MASK && age <= 9) bits |= kCombining;
  if (age > 8) return bits;
  if (category & U_GC_P_MASK) bits |= kPunctuation;
  if (category & dropped) bits |= kControl;
  if (category & U_GC_MN_MASK) bits |= kAccent;
  return bits;
}

}  // namespace

constinit const std::array<uint8_t, 128> kAsciiClasses = ascii_classes();

uint8_t non_ascii_classes(char32_t code_point) {
  const auto c = static_cast<UChar32>(code_point);
  const uint32_t category = U_GET_GC_MASK(c);
  uint8_t bits = 0;
  if (category & U_GC_L_MASK) bits |= kLetter;
  if (category & U_GC_N_MASK) bits |= kNumber;
  if (u_isUWhiteSpace(c)) bits |= kSpace;
  if (category & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK) || u_isUAlphabetic(c) || c == 0x200c || c == 0x200d)
    bits |= kWord;
  return bits | older_classes(c, category);
}

int unicode_age(char32_t code_point) {
  UVersionInfo version;
  u_charAge(static_cast<UChar32>(code_point), version);
  return version[0] == 0 ? INT_MAX : version[0];
}

CodePoint code_point_before(std::string_view text, size_t end) {
  size_t begin = end - 1;
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xc0) == 0x80) --begin;
  return code_point_at(text, begin);
}

void append_utf8(std::string& text, char32_t code_point) {
  char bytes[U8_MAX_LENGTH];
  size_t length = 0;
  U8_APPEND_UNSAFE(bytes, length, code_point);
  text.append(bytes, length);
}

bool is_ascii(std::string_view text) {
  size_t i = 0;
  uint64_t any = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    any |= word;
  }
  for (; i < text.size(); ++i) any |= static_cast<unsigned char>(text[i]);
  return (any & 0x8080808080808080ULL) == 0;
}

size_t count_code_points(std::string_view text) {
  size_t count = 0;
  for (const char byte : text) count += (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
  return count;
}

std::string replace_invalid_utf8(std::string_view bytes) {
  std::string valid;
  while (true) {
    const size_t wrong = find_invalid_utf8(bytes);
    if (wrong == std::string_view::npos) return valid.append(bytes);
    valid.append(bytes.substr(0, wrong)).append("\xef\xbf\xbd");
    bytes.remove_prefix(wrong);
    // ICU steps over the longest prefix of a sequence that could still have become valid.
    size_t length = 0;
    UChar32 ignored;
    U8_NEXT(bytes.data(), length, bytes.size(), ignored);
    static_cast<void>(ignored);
    bytes.remove_prefix(length);
  }
}

bool is_cjk_ideograph(char32_t c) {
  return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x20000 && c <= 0x2a6df) ||
         (c >= 0x2a700 && c <= 0x2b73f) || (c >= 0x2b740 && c <= 0x2b81f) || (c >= 0x2b920 && c <= 0x2ceaf) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x2f800 && c <= 0x2fa1f);
}

void append_lower_case(std::u32string& lowered, char32_t code_point) {
  if (code_point == 0x130) {  // the only code point whose lower case is longer than one
    lowered += U"i\u0307";
  } else {
    lowered += static_cast<char32_t>(u_tolower(static_cast<UChar32>(code_point)));
  }
}

}  // namespace normscope
