// A search pattern of a tokenizer.json: a literal, or a regular expression run by PCRE2.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "tokenizers/pattern.h"

#include <pcre2.h>

#include "core/error.h"

namespace normscope {
namespace {

constexpr uint32_t kMatchLimit = 10'000'000;  // PCRE2's own default

struct FreeMatchData {
  void operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }
};

std::string pcre2_message(int error) {
  PCRE2_UCHAR buffer[256];
  pcre2_get_error_message(error, buffer, sizeof buffer);
  return reinterpret_cast<const char*>(buffer);
}

}  // namespace

struct Pattern::Compiled {
  Compiled(const std::string& expression, std::string where) : place(std::move(where)) {
    const std::string translated = translate_regex(expression);
    int error = 0;
    PCRE2_SIZE at = 0;
    // Ruby's syntax, which Oniguruma reads by default: ^ and $ always stand at line ends.
    code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()), translated.size(),
                         PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, &error, &at, nullptr);
    require(code != nullptr, ErrorKind::Checkpoint, place, ": expected a regular expression, found \"", expression,
            "\": ", pcre2_message(error), " (at ", at, ")");
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);  // without JIT, pcre2_match interprets
    limits = pcre2_match_context_create(nullptr);
    pcre2_set_match_limit(limits, kMatchLimit);
  }
  ~Compiled() {
    pcre2_match_context_free(limits);
    pcre2_code_free(code);
  }
  Compiled(const Compiled&) = delete;

  std::string place;
  pcre2_code* code = nullptr;
  pcre2_match_context* limits = nullptr;
};

Pattern::Pattern(std::string literal, std::unique_ptr<const Compiled> compiled)
    : literal_(std::move(literal)), compiled_(std::move(compiled)) {}

Pattern::Pattern(const JsonPart& part) {
  if (part.has("String")) {
    literal_ = part.text("String");
    if (literal_.empty()) part.fail("a string that is not empty");
  } else {
    compiled_ = std::make_unique<Compiled>(part.text("Regex"), part.place());
  }
}

Pattern Pattern::regex(const std::string& expression, const std::string& place) {
  return {"", std::make_unique<Compiled>(expression, place)};
}

Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;

void Pattern::find_all(std::string_view text, std::vector<Range>& matches) const {
  if (!compiled_) {
    for (size_t at = text.find(literal_); at != std::string_view::npos; at = text.find(literal_, at))
      matches.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(at += literal_.size())});
    return;
  }
  // One a call: match data is the only part of PCRE2 that threads must not share.
  const std::unique_ptr<pcre2_match_data, FreeMatchData> match(pcre2_match_data_create(1, nullptr));
  const PCRE2_SIZE* bounds = pcre2_get_ovector_pointer(match.get());
  uint32_t options = PCRE2_NO_UTF_CHECK;
  for (PCRE2_SIZE at = 0; at <= text.size();) {
    const auto search = [&](uint32_t more) {
      return pcre2_match(compiled_->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), at, options | more,
                         match.get(), compiled_->limits);
    };
    int found = search(0);
    // Compiled code has a small stack of its own; the interpreter uses the heap.
    if (found == PCRE2_ERROR_JIT_STACKLIMIT) found = search(PCRE2_NO_JIT);
    if (found == PCRE2_ERROR_NOMATCH && options & PCRE2_NOTEMPTY_ATSTART) {
      // Nothing but the empty match stands here: on to the next code point.
      do ++at;
      while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
      options = PCRE2_NO_UTF_CHECK;
      continue;
    }
    if (found == PCRE2_ERROR_NOMATCH) return;
    require(found >= 0, ErrorKind::Checkpoint, compiled_->place,
            ": the regular expression cannot be matched: ", pcre2_message(found));
    require(bounds[0] >= at && bounds[1] >= bounds[0], ErrorKind::Checkpoint, compiled_->place,
            ": the regular expression ends before it begins");
    matches.push_back({static_cast<uint32_t>(bounds[0]), static_cast<uint32_t>(bounds[1])});
    at = bounds[1];
    options = PCRE2_NO_UTF_CHECK | (bounds[0] == bounds[1] ? PCRE2_NOTEMPTY_ATSTART : 0);
  }
}

}  // namespace normscope
