// Replace, which exists as a normalizer and as a decoder.
// Source: tokenizers normalizers::Replace, NormalizedString::replace.
#include "tokenizers/decoder.h"
#include "tokenizers/normalizer.h"
#include "tokenizers/pattern.h"
#include "tokenizers/unicode.h"

namespace normscope {
namespace {

class Replace final : public Normalizer, public Decoder {
 public:
  explicit Replace(const JsonPart& part) : pattern_(part.at("pattern")), content_(part.text("content")) {}

  bool apply_ascii(std::string& text) const override {
    std::vector<Range> matches;
    pattern_.find_all(text, matches);
    return matches.empty();
  }

  void apply(std::vector<AlignedChar>& chars) const override {
    AlignedText text;
    text.from_chars(chars);
    AlignedText replaced;
    const auto copy = [&](size_t begin, size_t end) {
      replaced.text.append(text.text, begin, end - begin);
      replaced.sources.insert(replaced.sources.end(), text.sources.begin() + static_cast<std::ptrdiff_t>(begin),
                              text.sources.begin() + static_cast<std::ptrdiff_t>(end));
    };
    std::vector<Range> matches;
    pattern_.find_all(text.text, matches);
    size_t done = 0;
    for (const Range& match : matches) {
      copy(done, match.begin);
      // What is put in takes the origin of the last character that goes.
      replaced.text += content_;
      replaced.sources.resize(replaced.text.size(), match.end == 0 ? kNoSource : text.sources[match.end - 1]);
      done = match.end;
    }
    copy(done, text.text.size());
    if (!matches.empty()) chars = replaced.to_chars();
  }

  void decode(std::vector<std::string>& tokens) const override {
    std::vector<Range> matches;
    for (std::string& token : tokens) {
      matches.clear();
      pattern_.find_all(token, matches);
      for (size_t i = matches.size(); i-- > 0;)
        token.replace(matches[i].begin, matches[i].end - matches[i].begin, content_);
    }
  }

 private:
  Pattern pattern_;
  std::string content_;
};

}  // namespace

std::unique_ptr<const Normalizer> make_replace(const JsonPart& part) { return std::make_unique<Replace>(part); }

std::unique_ptr<const Decoder> make_replace_decoder(const JsonPart& part) { return std::make_unique<Replace>(part); }

}  // namespace normscope
