// The decoders that undo a model: WordPiece, byte-level, byte fallback.
// Source: tokenizers decoders::{wordpiece, byte_fallback}, pre_tokenizers::byte_level.
#include <array>
#include <utility>

#include "tokenizers/byte_level.h"
#include "tokenizers/decoder.h"
#include "tokenizers/unicode.h"

namespace normscope {
namespace {

class WordPieceDecoder final : public Decoder {
 public:
  explicit WordPieceDecoder(const JsonPart& part)
      : prefix_(part.text_or("prefix", "##")), cleans_up_(part.flag_or("cleanup", true)) {}

  void decode(std::vector<std::string>& tokens) const override {
    for (size_t i = 0; i < tokens.size(); ++i) {
      std::string& token = tokens[i];
      if (i > 0) {
        if (token.starts_with(prefix_)) {
          token.erase(0, prefix_.size());
        } else {
          token.insert(0, 1, ' ');
        }
      }
      if (cleans_up_) clean_up(token);
    }
  }

 private:
  // Each token by itself, as the library does: " n't" is never seen across two tokens.
  static void clean_up(std::string& token) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kReplacements{{
        {" .", "."},
        {" ?", "?"},
        {" !", "!"},
        {" ,", ","},
        {" ' ", "'"},
        {" n't", "n't"},
        {" 'm", "'m"},
        {" do not", " don't"},
        {" 's", "'s"},
        {" 've", "'ve"},
        {" 're", "'re"},
    }};
    for (const auto& [from, to] : kReplacements) replace_all(token, from, to);
  }

  std::string prefix_;
  bool cleans_up_;
};

// A token with a character outside of the alphabet (an added one) stands for itself.
class ByteLevelDecoder final : public Decoder {
 public:
  void decode(std::vector<std::string>& tokens) const override {
    std::string bytes;
    for (const std::string& token : tokens) bytes += from_byte_level(token).value_or(token);
    tokens.assign(1, replace_invalid_utf8(bytes));
  }
};

// Runs of <0x00> to <0xFF> become their bytes; every byte of a run that is not UTF-8 becomes U+FFFD.
class ByteFallbackDecoder final : public Decoder {
 public:
  void decode(std::vector<std::string>& tokens) const override {
    std::vector<std::string> decoded;
    std::string run;
    const auto end_run = [&] {
      if (run.empty()) return;
      if (replace_invalid_utf8(run) == run) {
        decoded.push_back(run);
      } else {
        decoded.insert(decoded.end(), run.size(), "\xef\xbf\xbd");
      }
      run.clear();
    };
    for (std::string& token : tokens) {
      const int byte = byte_of(token);
      if (byte >= 0) {
        run += static_cast<char>(byte);
      } else {
        end_run();
        decoded.push_back(std::move(token));
      }
    }
    end_run();
    tokens = std::move(decoded);
  }

 private:
  static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
  }
  static int byte_of(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return -1;
    const int high = digit(token[3]);
    const int low = digit(token[4]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  }
};

}  // namespace

std::unique_ptr<const Decoder> make_wordpiece_decoder(const JsonPart& part) {
  return std::make_unique<WordPieceDecoder>(part);
}

std::unique_ptr<const Decoder> make_byte_level_decoder() { return std::make_unique<ByteLevelDecoder>(); }

std::unique_ptr<const Decoder> make_byte_fallback_decoder() { return std::make_unique<ByteFallbackDecoder>(); }

}  // namespace normscope
