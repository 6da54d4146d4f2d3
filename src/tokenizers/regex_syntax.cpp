// Regular expressions from Oniguruma's syntax, which tokenizer.json is written in, to PCRE2's.
// Source: Oniguruma doc/RE (Ruby syntax, Unicode); pcre2pattern(3). The classes were compared code point by
// code point.
#include "tokenizers/pattern.h"

namespace normscope {
namespace {

constexpr std::string_view kWordMembers = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}";
// Oniguruma reads \w by itself from a table of Latin-1 for these, but not inside of brackets.
constexpr std::string_view kLatinNumbers = "\\x{b2}\\x{b3}\\x{b9}\\x{bc}-\\x{be}";

}  // namespace

std::string translate_regex(std::string_view expression) {
  std::string out;
  int brackets = 0;
  for (size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c != '\\' || i + 1 == expression.size()) {
      out += c;
      if (c == '[') {
        ++brackets;
        if (i + 1 < expression.size() && expression[i + 1] == '^') out += expression[++i];
        // A bracket that comes first is a member of its class.
        if (i + 1 < expression.size() && expression[i + 1] == ']') out.append("\\").append(1, expression[++i]);
      } else if (c == ']' && brackets > 0) {
        --brackets;
      }
      continue;
    }
    const char escaped = expression[++i];
    switch (escaped) {
      case 's':
        out += "\\p{White_Space}";  // PCRE2's own \s adds U+180E
        break;
      case 'S':
        out += "\\P{White_Space}";
        break;
      case 'w':
        if (brackets > 0) {
          out.append(kWordMembers);
        } else {
          out.append("[").append(kWordMembers).append(kLatinNumbers).append("]");
        }
        break;
      case 'W':  // cannot be written as members of a bracket; PCRE2's own is near enough there
        if (brackets > 0) {
          out.append("\\W");
        } else {
          out.append("[^").append(kWordMembers).append(kLatinNumbers).append("]");
        }
        break;
      case 'h':
        out.append(brackets > 0 ? "0-9a-fA-F" : "[0-9a-fA-F]");
        break;
      default:
        out.append("\\").append(1, escaped);
    }
  }
  return out;
}

}  // namespace normscope
