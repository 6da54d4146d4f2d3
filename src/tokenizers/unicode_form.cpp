// The four Unicode normalization forms, with the origin of every code point.
// Source: Unicode Standard Annex 15; which origin a composed or reordered code point takes: tokenizers 0.23.
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>

#include <algorithm>

#include "core/error.h"
#include "tokenizers/normalizer.h"
#include "tokenizers/unicode.h"

namespace normscope {
namespace {

// The tokenizers library decomposes and orders by the tables of Unicode 9.
constexpr int kTablesAge = 9;

const icu::Normalizer2& canonical() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* found = icu::Normalizer2::getNFCInstance(status);
  require(U_SUCCESS(status), ErrorKind::Run, "ICU's normalization data cannot be read: ", u_errorName(status));
  return *found;
}

const icu::Normalizer2& compatible() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* found = icu::Normalizer2::getNFKCInstance(status);
  require(U_SUCCESS(status), ErrorKind::Run, "ICU's normalization data cannot be read: ", u_errorName(status));
  return *found;
}

uint8_t combining_class(char32_t c) {
  if (c < 0x300) return 0;
  const uint8_t found = u_getCombiningClass(static_cast<UChar32>(c));
  return found != 0 && unicode_age(c) > kTablesAge ? 0 : found;
}

void append_decomposition(std::vector<CharEdit>& edits, char32_t c, const icu::Normalizer2& form) {
  icu::UnicodeString parts;
  if (c < 0xa0 || !form.getDecomposition(static_cast<UChar32>(c), parts) || unicode_age(c) > kTablesAge) {
    edits.push_back({c, 0});
    return;
  }
  for (int32_t i = 0; i < parts.length(); i = parts.moveIndex32(i, 1))
    edits.push_back({static_cast<char32_t>(parts.char32At(i)), i == 0 ? 0 : 1});
}

// Edits to NFD or NFKD: decompositions, marks of one base ordered by combining class.
std::vector<CharEdit> decomposition(const std::vector<AlignedChar>& chars, bool compatibility) {
  const icu::Normalizer2& form = compatibility ? compatible() : canonical();
  std::vector<CharEdit> edits;
  edits.reserve(chars.size());
  for (const AlignedChar& c : chars) append_decomposition(edits, c.value, form);
  const auto is_starter = [](const CharEdit& edit) { return combining_class(edit.value) == 0; };
  for (auto begin = edits.begin(); begin != edits.end();) {
    begin = std::find_if_not(begin, edits.end(), is_starter);
    const auto end = std::find_if(begin, edits.end(), is_starter);
    std::stable_sort(begin, end, [](const CharEdit& a, const CharEdit& b) {
      return combining_class(a.value) < combining_class(b.value);
    });
    begin = end;
  }
  return edits;
}

// Canonical composition; an edit that takes in another one drops what that one replaced.
std::vector<CharEdit> composition(const std::vector<CharEdit>& edits) {
  const icu::Normalizer2& form = canonical();
  std::vector<CharEdit> composed;
  composed.reserve(edits.size());
  size_t starter = SIZE_MAX;  // where in `composed` the last starter stands
  int last_class = -1;        // combining class of what was kept since; -1: nothing was
  for (const CharEdit& edit : edits) {
    const int own_class = combining_class(edit.value);
    if (starter != SIZE_MAX && (last_class == -1 || last_class < own_class)) {
      const UChar32 pair =
          form.composePair(static_cast<UChar32>(composed[starter].value), static_cast<UChar32>(edit.value));
      if (pair >= 0 && unicode_age(static_cast<char32_t>(pair)) <= kTablesAge) {
        composed[starter] = {static_cast<char32_t>(pair), composed[starter].change + edit.change - 1};
        continue;
      }
    }
    if (own_class == 0) starter = composed.size();
    last_class = own_class == 0 ? -1 : own_class;
    composed.push_back(edit);
  }
  return composed;
}

class UnicodeForm final : public Normalizer {
 public:
  UnicodeForm(bool compatibility, bool composes) : compatibility_(compatibility), composes_(composes) {}

  bool apply_ascii(std::string&) const override { return true; }
  void apply(std::vector<AlignedChar>& chars) const override {
    std::vector<CharEdit> edits = decomposition(chars, compatibility_);
    if (composes_) edits = composition(edits);
    apply_edits(chars, edits);
  }

 private:
  bool compatibility_, composes_;
};

}  // namespace

void decompose(std::vector<AlignedChar>& chars, bool compatibility) {
  apply_edits(chars, decomposition(chars, compatibility));
}

std::unique_ptr<const Normalizer> make_unicode_form(const std::string& type) {
  return std::make_unique<UnicodeForm>(type.find('K') != std::string::npos, type.back() == 'C');
}

}  // namespace normscope
