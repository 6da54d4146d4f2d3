// Normalizers by their type in tokenizer.json, and the small ones themselves.
#include "tokenizers/normalizer.h"

#include <algorithm>

#include "tokenizers/unicode.h"

namespace normscope {
namespace {

class Sequence final : public Normalizer {
 public:
  explicit Sequence(std::vector<std::unique_ptr<const Normalizer>> steps) : steps_(std::move(steps)) {}

  bool apply_ascii(std::string& text) const override {
    return std::all_of(steps_.begin(), steps_.end(), [&](const auto& step) { return step->apply_ascii(text); });
  }
  void apply(std::vector<AlignedChar>& chars) const override {
    for (const auto& step : steps_) step->apply(chars);
  }

 private:
  std::vector<std::unique_ptr<const Normalizer>> steps_;
};

class Lowercase final : public Normalizer {
 public:
  bool apply_ascii(std::string& text) const override {
    lower_case_ascii(text);
    return true;
  }
  void apply(std::vector<AlignedChar>& chars) const override { lower_case(chars); }
};

class StripAccents final : public Normalizer {
 public:
  bool apply_ascii(std::string&) const override { return true; }
  void apply(std::vector<AlignedChar>& chars) const override {
    std::erase_if(chars, [](const AlignedChar& c) { return character_classes(c.value) & kCombining; });
  }
};

class Strip final : public Normalizer {
 public:
  Strip(bool left, bool right) : left_(left), right_(right) {}

  bool apply_ascii(std::string& text) const override {
    const auto is_space = [](char c) { return kAsciiClasses[static_cast<size_t>(c)] & kSpace; };
    return text.empty() || !((left_ && is_space(text.front())) || (right_ && is_space(text.back())));
  }
  void apply(std::vector<AlignedChar>& chars) const override {
    const auto is_kept = [](const AlignedChar& c) { return !(character_classes(c.value) & kSpace); };
    if (right_) chars.erase(std::find_if(chars.rbegin(), chars.rend(), is_kept).base(), chars.end());
    if (left_) chars.erase(chars.begin(), std::find_if(chars.begin(), chars.end(), is_kept));
  }

 private:
  bool left_, right_;
};

class Prepend final : public Normalizer {
 public:
  explicit Prepend(const std::string& prefix) {
    AlignedText text;
    text.assign(prefix, 0);
    prefix_ = text.to_chars();
  }

  bool apply_ascii(std::string& text) const override { return text.empty() || prefix_.empty(); }
  void apply(std::vector<AlignedChar>& chars) const override {
    if (chars.empty()) return;
    std::vector<AlignedChar> inserted = prefix_;
    for (AlignedChar& c : inserted) c.source = chars.front().source;
    chars.insert(chars.begin(), inserted.begin(), inserted.end());
  }

 private:
  std::vector<AlignedChar> prefix_;
};

std::unique_ptr<const Normalizer> make_sequence(const JsonPart& part) {
  std::vector<std::unique_ptr<const Normalizer>> steps;
  for (const JsonPart& step : part.list("normalizers")) steps.push_back(make_normalizer(step));
  return std::make_unique<Sequence>(std::move(steps));
}

}  // namespace

void Normalizer::normalize(AlignedText& text) const {
  if (text.sources.empty()) {  // ASCII so far
    std::string changed = text.text;
    if (apply_ascii(changed)) {
      text.text = std::move(changed);
      return;
    }
  }
  std::vector<AlignedChar> chars = text.to_chars();
  apply(chars);
  text.from_chars(chars);
}

void lower_case_ascii(std::string& text) {
  for (char& c : text) c = static_cast<char>(c + (c >= 'A' && c <= 'Z' ? 'a' - 'A' : 0));
}

void lower_case(std::vector<AlignedChar>& chars) {
  std::vector<AlignedChar> lowered;
  lowered.reserve(chars.size());
  std::u32string one;
  for (const AlignedChar& c : chars) {
    one.clear();
    append_lower_case(one, c.value);
    for (const char32_t value : one) lowered.push_back({value, c.source});
  }
  chars = std::move(lowered);
}

std::unique_ptr<const Normalizer> make_normalizer(const JsonPart& part) {
  const std::string type = part.text("type");
  if (type == "BertNormalizer") return make_bert_normalizer(part);
  if (type == "NFC" || type == "NFD" || type == "NFKC" || type == "NFKD") return make_unicode_form(type);
  if (type == "Lowercase") return std::make_unique<Lowercase>();
  if (type == "StripAccents") return std::make_unique<StripAccents>();
  if (type == "Strip")
    return std::make_unique<Strip>(part.flag_or("strip_left", true), part.flag_or("strip_right", true));
  if (type == "Prepend") return std::make_unique<Prepend>(part.text("prepend"));
  if (type == "Replace") return make_replace(part);
  if (type == "Sequence") return make_sequence(part);
  part.fail_unsupported("normalizer", type);
}

}  // namespace normscope
