// Pre-tokenizers by their type in tokenizer.json, and their sequence.
#include "tokenizers/pre_tokenizer.h"

namespace normscope {
namespace {

class Sequence final : public PreTokenizer {
 public:
  explicit Sequence(std::vector<std::unique_ptr<const PreTokenizer>> steps) : steps_(std::move(steps)) {}

  void split(AlignedText& text, std::vector<Piece>& pieces) const override {
    for (const auto& step : steps_) step->split(text, pieces);
  }
  bool is_byte_level() const override { return !steps_.empty() && steps_.back()->is_byte_level(); }

 private:
  std::vector<std::unique_ptr<const PreTokenizer>> steps_;
};

std::unique_ptr<const PreTokenizer> make_sequence(const JsonPart& part) {
  std::vector<std::unique_ptr<const PreTokenizer>> steps;
  for (const JsonPart& step : part.list("pretokenizers")) {
    // What comes after it would have to see the printable characters instead of the bytes.
    if (!steps.empty() && steps.back()->is_byte_level())
      step.fail_unsupported("pre-tokenizer after ByteLevel", step.text("type"));
    steps.push_back(make_pre_tokenizer(step));
  }
  return std::make_unique<Sequence>(std::move(steps));
}

}  // namespace

std::unique_ptr<const PreTokenizer> make_pre_tokenizer(const JsonPart& part) {
  const std::string type = part.text("type");
  if (type == "BertPreTokenizer") return make_bert_pre_tokenizer();
  if (type == "ByteLevel") return make_byte_level(part);
  if (type == "Whitespace") return make_whitespace();
  if (type == "WhitespaceSplit") return make_whitespace_split();
  if (type == "Digits") return make_digits(part);
  if (type == "Punctuation") return make_punctuation(part);
  if (type == "Split") return make_split(part);
  if (type == "Sequence") return make_sequence(part);
  part.fail_unsupported("pre-tokenizer", type);
}

}  // namespace normscope
