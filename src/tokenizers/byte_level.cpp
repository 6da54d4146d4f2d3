// The byte-level alphabet, and the pre-tokenizer of GPT-2 that cuts for it.
// Source: GPT-2 encoder.py; tokenizers pre_tokenizers::ByteLevel.
#include "tokenizers/byte_level.h"

#include <array>

#include "tokenizers/pre_tokenizer.h"
#include "tokenizers/unicode.h"

namespace normscope {
namespace {

constexpr std::array<char32_t, 256> alphabet() {
  std::array<char32_t, 256> characters{};
  char32_t next = 256;
  for (char32_t byte = 0; byte < 256; ++byte) {
    const bool printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    characters[byte] = printable ? byte : next++;
  }
  return characters;
}
constexpr std::array<char32_t, 256> kAlphabet = alphabet();

constexpr std::array<int16_t, 324> bytes_of_alphabet() {
  std::array<int16_t, 324> bytes{};
  bytes.fill(-1);
  for (int16_t byte = 0; byte < 256; ++byte) bytes[kAlphabet[static_cast<size_t>(byte)]] = byte;
  return bytes;
}
constexpr std::array<int16_t, 324> kBytes = bytes_of_alphabet();

class ByteLevel final : public PreTokenizer {
 public:
  explicit ByteLevel(const JsonPart& part)
      : adds_prefix_space_(part.flag_or("add_prefix_space", true)), uses_regex_(part.flag_or("use_regex", true)) {}

  void split(AlignedText& text, std::vector<Piece>& pieces) const override {
    if (adds_prefix_space_) add_prefix_spaces(text, pieces);
    if (uses_regex_) replace_pieces(text, pieces, cut);
  }
  bool is_byte_level() const override { return true; }

 private:
  static void add_prefix_spaces(AlignedText& text, std::vector<Piece>& pieces);
  static void cut(std::string_view word, std::vector<Range>& parts);
  static uint32_t end_of_part(std::string_view word, uint32_t begin);

  bool adds_prefix_space_, uses_regex_;
};

// The space takes the origin of the character that it stands before.
void ByteLevel::add_prefix_spaces(AlignedText& text, std::vector<Piece>& pieces) {
  AlignedText prefixed;
  for (Piece& piece : pieces) {
    const auto begin = static_cast<uint32_t>(prefixed.text.size());
    if (piece.added_id < 0 && text.text[piece.begin] != ' ') {
      prefixed.text += ' ';
      prefixed.sources.push_back(text.source(piece.begin));
    }
    prefixed.text.append(text.text, piece.begin, piece.end - piece.begin);
    for (uint32_t i = piece.begin; i < piece.end; ++i) prefixed.sources.push_back(text.source(i));
    piece.begin = begin;
    piece.end = static_cast<uint32_t>(prefixed.text.size());
  }
  text = std::move(prefixed);
}

void ByteLevel::cut(std::string_view word, std::vector<Range>& parts) {
  for (uint32_t begin = 0; begin < word.size();) {
    const uint32_t end = end_of_part(word, begin);
    parts.push_back({begin, end});
    begin = end;
  }
}

// By hand what this expression matches at `begin`, for it is most of a text's time:
// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
uint32_t ByteLevel::end_of_part(std::string_view word, uint32_t begin) {
  constexpr uint8_t kinds = kLetter | kNumber | kSpace;
  const auto size = static_cast<uint32_t>(word.size());
  if (word[begin] == '\'') {
    const std::string_view rest = word.substr(begin + 1, 2);
    if (rest.starts_with('s') || rest.starts_with('t') || rest.starts_with('m') || rest.starts_with('d'))
      return begin + 2;
    if (rest == "re" || rest == "ve" || rest == "ll") return begin + 3;
  }
  CodePoint c = code_point_at(word, begin);
  uint32_t at = begin;
  uint8_t kind = character_classes(c.value) & kinds;
  if (c.value == ' ' && begin + 1 < size) {  // one blank goes with the word after it
    const CodePoint next = code_point_at(word, begin + 1);
    const uint8_t next_kind = character_classes(next.value) & kinds;
    if (next_kind != kSpace) {
      at = begin + 1;
      c = next;
      kind = next_kind;
    }
  }
  uint32_t last = at;  // where the run's last code point begins
  for (at += c.length; at < size; at += c.length) {
    c = code_point_at(word, at);
    if ((character_classes(c.value) & kinds) != kind) break;
    last = at;
  }
  // A run of white space leaves its last one for the word that follows.
  if (kind == kSpace && at < size && last > begin) return last;
  return at;
}

}  // namespace

char32_t byte_level_character(unsigned char byte) { return kAlphabet[byte]; }

std::string to_byte_level(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) append_utf8(text, kAlphabet[static_cast<unsigned char>(byte)]);
  return text;
}

std::optional<std::string> from_byte_level(std::string_view text) {
  std::string bytes;
  for (size_t i = 0; i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    if (c.value >= kBytes.size() || kBytes[c.value] < 0) return std::nullopt;
    bytes += static_cast<char>(kBytes[c.value]);
    i += c.length;
  }
  return bytes;
}

std::unique_ptr<const PreTokenizer> make_byte_level(const JsonPart& part) { return std::make_unique<ByteLevel>(part); }

}  // namespace normscope
