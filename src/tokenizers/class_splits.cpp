// Pre-tokenizers that cut by character class: BERT's, white space, digits, punctuation.
// Source: tokenizers pre_tokenizers (bert, whitespace, digits, punctuation).
#include "tokenizers/pre_tokenizer.h"
#include "tokenizers/unicode.h"

namespace normscope {
namespace {

// One match a code point of the classes.
void find_code_points(std::string_view word, uint8_t classes, std::vector<Range>& matches) {
  for (uint32_t i = 0; i < word.size();) {
    const CodePoint c = code_point_at(word, i);
    if (character_classes(c.value) & classes) matches.push_back({i, i + c.length});
    i += c.length;
  }
}

// White space separates and vanishes; punctuation stands alone.
class BertPreTokenizer final : public PreTokenizer {
 public:
  void split(AlignedText& text, std::vector<Piece>& pieces) const override {
    replace_pieces(text, pieces, [](std::string_view word, std::vector<Range>& parts) {
      uint32_t begin = 0;
      for (uint32_t i = 0; i < word.size();) {
        const CodePoint c = code_point_at(word, i);
        const uint8_t classes = character_classes(c.value);
        if (classes & (kSpace | kPunctuation)) {
          parts.push_back({begin, i});
          if (classes & kPunctuation) parts.push_back({i, i + c.length});
          begin = i + c.length;
        }
        i += c.length;
      }
      parts.push_back({begin, static_cast<uint32_t>(word.size())});
    });
  }
};

// Runs of word characters and runs of what is neither word nor space.
class Whitespace final : public PreTokenizer {
 public:
  void split(AlignedText& text, std::vector<Piece>& pieces) const override {
    replace_pieces(text, pieces, [](std::string_view word, std::vector<Range>& parts) {
      uint32_t begin = 0;
      uint8_t run = kSpace;
      for (uint32_t i = 0; i < word.size();) {
        const CodePoint c = code_point_at(word, i);
        const uint8_t own = character_classes(c.value) & (kSpace | kWord);
        if (own != run) {
          if (run != kSpace) parts.push_back({begin, i});
          begin = i;
          run = own;
        }
        i += c.length;
      }
      if (run != kSpace) parts.push_back({begin, static_cast<uint32_t>(word.size())});
    });
  }
};

class ClassSplit final : public PreTokenizer {
 public:
  ClassSplit(uint8_t classes, SplitBehavior behavior) : classes_(classes), behavior_(behavior) {}

  void split(AlignedText& text, std::vector<Piece>& pieces) const override {
    std::vector<Range> matches;
    replace_pieces(text, pieces, [&](std::string_view word, std::vector<Range>& parts) {
      matches.clear();
      find_code_points(word, classes_, matches);
      split_at_matches(matches, static_cast<uint32_t>(word.size()), behavior_, false, parts);
    });
  }

 private:
  uint8_t classes_;
  SplitBehavior behavior_;
};

}  // namespace

std::unique_ptr<const PreTokenizer> make_bert_pre_tokenizer() { return std::make_unique<BertPreTokenizer>(); }

std::unique_ptr<const PreTokenizer> make_whitespace() { return std::make_unique<Whitespace>(); }

std::unique_ptr<const PreTokenizer> make_whitespace_split() {
  return std::make_unique<ClassSplit>(kSpace, SplitBehavior::Removed);
}

std::unique_ptr<const PreTokenizer> make_digits(const JsonPart& part) {
  const bool individual = part.flag_or("individual_digits", false);
  return std::make_unique<ClassSplit>(kNumber, individual ? SplitBehavior::Isolated : SplitBehavior::Contiguous);
}

std::unique_ptr<const PreTokenizer> make_punctuation(const JsonPart& part) {
  const SplitBehavior behavior =
      part.has("behavior") ? parse_split_behavior(part.at("behavior")) : SplitBehavior::Isolated;
  return std::make_unique<ClassSplit>(kPunctuation, behavior);
}

}  // namespace normscope
