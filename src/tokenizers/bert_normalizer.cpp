// BERT's normalizer: cleaning, spaces around CJK ideographs, accent stripping, lower case.
// Source: tokenizers normalizers::BertNormalizer.
#include <algorithm>

#include "tokenizers/normalizer.h"
#include "tokenizers/unicode.h"

namespace normscope {
namespace {

class BertNormalizer final : public Normalizer {
 public:
  explicit BertNormalizer(const JsonPart& part)
      : clean_text_(part.flag_or("clean_text", true)),
        handle_chinese_chars_(part.flag_or("handle_chinese_chars", true)),
        lowercase_(part.flag_or("lowercase", true)),
        strip_accents_(part.optional_flag("strip_accents").value_or(lowercase_)) {}

  bool apply_ascii(std::string& text) const override {
    uint8_t seen = 0;
    for (char& c : text) {
      const uint8_t classes = kAsciiClasses[static_cast<size_t>(c)];
      seen |= classes;
      if (clean_text_ && classes & kSpace) c = ' ';
    }
    if (clean_text_ && seen & kControl) return false;
    if (lowercase_) lower_case_ascii(text);
    return true;
  }

  void apply(std::vector<AlignedChar>& chars) const override {
    if (clean_text_) clean(chars);
    if (handle_chinese_chars_) surround_cjk(chars);
    if (strip_accents_) {
      decompose(chars, false);
      std::erase_if(chars, [](const AlignedChar& c) { return character_classes(c.value) & kAccent; });
    }
    if (lowercase_) lower_case(chars);
  }

 private:
  static void clean(std::vector<AlignedChar>& chars) {
    std::erase_if(chars,
                  [](const AlignedChar& c) { return c.value == 0xfffd || character_classes(c.value) & kControl; });
    for (AlignedChar& c : chars)
      if (character_classes(c.value) & kSpace) c.value = ' ';
  }

  static void surround_cjk(std::vector<AlignedChar>& chars) {
    const auto is_cjk = [](const AlignedChar& c) { return is_cjk_ideograph(c.value); };
    if (std::none_of(chars.begin(), chars.end(), is_cjk)) return;
    std::vector<AlignedChar> surrounded;
    surrounded.reserve(chars.size() * 2);
    for (const AlignedChar& c : chars) {
      if (is_cjk(c)) surrounded.push_back({' ', c.source});
      surrounded.push_back(c);
      if (is_cjk(c)) surrounded.push_back({' ', c.source});
    }
    chars = std::move(surrounded);
  }

  bool clean_text_, handle_chinese_chars_, lowercase_, strip_accents_;
};

}  // namespace

std::unique_ptr<const Normalizer> make_bert_normalizer(const JsonPart& part) {
  return std::make_unique<BertNormalizer>(part);
}

}  // namespace normscope
