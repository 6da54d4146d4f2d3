// Decoders by their type in tokenizer.json.
// Source: tokenizers decoders.
#include "tokenizers/decoder.h"

#include "tokenizers/unicode.h"

namespace normscope {
namespace {

class Sequence final : public Decoder {
 public:
  explicit Sequence(const JsonPart& part) {
    for (const JsonPart& step : part.list("decoders")) steps_.push_back(make_decoder(step));
  }
  void decode(std::vector<std::string>& tokens) const override {
    for (const auto& step : steps_) step->decode(tokens);
  }

 private:
  std::vector<std::unique_ptr<const Decoder>> steps_;
};

// All tokens become one.
class Fuse final : public Decoder {
 public:
  void decode(std::vector<std::string>& tokens) const override {
    std::string fused;
    for (const std::string& token : tokens) fused += token;
    tokens.assign(1, std::move(fused));
  }
};

// The suffix of a word's last token is a blank, but nothing at the end of the text.
class BpeDecoder final : public Decoder {
 public:
  explicit BpeDecoder(const JsonPart& part) : suffix_(part.text_or("suffix", "</w>")) {}
  void decode(std::vector<std::string>& tokens) const override {
    for (size_t i = 0; i < tokens.size(); ++i) replace_all(tokens[i], suffix_, i + 1 == tokens.size() ? "" : " ");
  }

 private:
  std::string suffix_;
};

// Up to so many of one character leave each token's ends.
class Strip final : public Decoder {
 public:
  explicit Strip(const JsonPart& part)
      : content_(part.text("content")), start_(part.integer("start")), stop_(part.integer("stop")) {
    if (content_.empty() || count_code_points(content_) != 1) part.at("content").fail("one character");
  }
  void decode(std::vector<std::string>& tokens) const override {
    for (std::string& token : tokens) {
      std::string_view kept = token;
      for (int64_t i = 0; i < start_ && kept.starts_with(content_); ++i) kept.remove_prefix(content_.size());
      for (int64_t i = 0; i < stop_ && kept.ends_with(content_); ++i) kept.remove_suffix(content_.size());
      token = std::string(kept);
    }
  }

 private:
  std::string content_;
  int64_t start_, stop_;
};

}  // namespace

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  if (from.empty()) return;
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::unique_ptr<const Decoder> make_decoder(const JsonPart& part) {
  const std::string type = part.text("type");
  if (type == "WordPiece") return make_wordpiece_decoder(part);
  if (type == "ByteLevel") return make_byte_level_decoder();
  if (type == "BPEDecoder") return std::make_unique<BpeDecoder>(part);
  if (type == "Fuse") return std::make_unique<Fuse>();
  if (type == "ByteFallback") return make_byte_fallback_decoder();
  if (type == "Replace") return make_replace_decoder(part);
  if (type == "Strip") return std::make_unique<Strip>(part);
  if (type == "Sequence") return std::make_unique<Sequence>(part);
  part.fail_unsupported("decoder", type);
}

}  // namespace normscope
