// A search pattern of a tokenizer.json: a literal, or a regular expression run by PCRE2.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizers/json_part.h"

namespace normscope {

struct Range {
  uint32_t begin, end;  // bytes
};

class Pattern {
 public:
  // {"String": literal} or {"Regex": expression}. Throws Error(Checkpoint) when PCRE2 does not take it.
  explicit Pattern(const JsonPart& part);
  static Pattern regex(const std::string& expression, const std::string& place);
  ~Pattern();
  Pattern(Pattern&&) noexcept;

  // Non-overlapping matches from left to right, appended; empty ones included.
  // Throws Error(Checkpoint) when a match needs more steps than any sane pattern does.
  void find_all(std::string_view text, std::vector<Range>& matches) const;

 private:
  struct Compiled;
  Pattern(std::string literal, std::unique_ptr<const Compiled> compiled);

  std::string literal_;  // empty with a regular expression
  std::unique_ptr<const Compiled> compiled_;
};

// The expression in PCRE2's syntax. tokenizer.json is written for Oniguruma, whose \s, \w, \d and \h differ.
std::string translate_regex(std::string_view expression);

}  // namespace normscope
