// Byte-pair encoding, over the bytes of the byte-level alphabet or over code points.
// Source: tokenizers models::BPE.
#include <array>
#include <cstdio>
#include <string>

#include "core/error.h"
#include "tokenizers/bpe_merges.h"
#include "tokenizers/byte_level.h"
#include "tokenizers/model.h"
#include "tokenizers/string_hash.h"
#include "tokenizers/unicode.h"

namespace normscope {
namespace {

class Bpe final : public SubwordModel {
 public:
  Bpe(const JsonPart& part, bool byte_level)
      : SubwordModel(part.at("vocab")),
        byte_level_(byte_level),
        fuse_unknown_(part.flag_or("fuse_unk", false)),
        byte_fallback_(part.flag_or("byte_fallback", false)),
        ignore_merges_(part.flag_or("ignore_merges", false)),
        prefix_(part.text_or("continuing_subword_prefix", "")),
        suffix_(part.text_or("end_of_word_suffix", "")) {
    read_unknown(part);
    read_merges(part);
    read_bytes(part);
  }

  void tokenize(std::string_view word, WordCache& cache, std::vector<Symbol>& symbols) const override {
    const uint64_t hash = string_hash(word);
    bool found = false;
    const auto remembered = cache.find(word, hash, found);
    if (found) {
      symbols.insert(symbols.end(), remembered.begin(), remembered.end());
      return;
    }
    const size_t first = symbols.size();
    const int32_t whole = ignore_merges_ ? whole_word(word) : -1;
    if (whole >= 0) {
      symbols.push_back({whole, static_cast<uint32_t>(word.size())});
    } else {
      append_units(word, symbols);
      merges_.apply(symbols, first);
    }
    cache.store(word, hash, std::span(symbols).subspan(first));
  }

 private:
  void read_unknown(const JsonPart& part);
  void read_merges(const JsonPart& part);
  void read_bytes(const JsonPart& part);

  int32_t whole_word(std::string_view word) const {
    return byte_level_ ? vocabulary_.id(to_byte_level(word)) : vocabulary_.id(word);
  }
  // The word's smallest symbols. What is not in the vocabulary is written in bytes, unknown, or left out.
  void append_units(std::string_view word, std::vector<Symbol>& symbols) const;
  int32_t unit_id(std::string_view unit, bool is_first, bool is_last) const;
  bool append_fallback(std::string_view unit, std::vector<Symbol>& symbols) const;

  bool byte_level_, fuse_unknown_, byte_fallback_, ignore_merges_;
  std::string prefix_, suffix_;
  int32_t unknown_id_ = -1;
  std::array<int32_t, 256> byte_ids_{};      // of the byte-level characters
  std::array<int32_t, 256> fallback_ids_{};  // of "<0x00>" to "<0xFF>"
  BpeMerges merges_;
};

void Bpe::read_unknown(const JsonPart& part) {
  if (!part.has("unk_token")) return;
  const std::string unknown = part.text("unk_token");
  unknown_id_ = vocabulary_.id(unknown);
  require(unknown_id_ >= 0, ErrorKind::Checkpoint, part.place(), ": expected the unknown token \"", unknown,
          "\" in the vocabulary, found none");
}

void Bpe::read_merges(const JsonPart& part) {
  for (const JsonPart& merge : part.list("merges")) {
    std::string left, right;
    if (merge.value().is_array() && merge.value().size() == 2 && merge.value()[0].is_string() &&
        merge.value()[1].is_string()) {
      left = merge.value()[0].get_ref<const std::string&>();
      right = merge.value()[1].get_ref<const std::string&>();
    } else {
      const std::string both = merge.as_text();
      const size_t blank = both.find(' ');
      if (blank == std::string::npos || both.find(' ', blank + 1) != std::string::npos)
        merge.fail("two tokens with one blank between them");
      left = both.substr(0, blank);
      right = both.substr(blank + 1);
    }
    const std::string tail = right.size() >= prefix_.size() ? right.substr(prefix_.size()) : std::string();
    const auto id = [&](const std::string& token) {
      const int32_t found = vocabulary_.id(token);
      if (found < 0) merge.fail("tokens of the vocabulary (\"" + token + "\" is none)");
      return found;
    };
    merges_.add(id(left), id(right), id(left + tail));
  }
}

void Bpe::read_bytes(const JsonPart& part) {
  bool is_complete = true;
  for (int byte = 0; byte < 256; ++byte) {
    const char bytes[] = {static_cast<char>(byte)};
    byte_ids_[static_cast<size_t>(byte)] = vocabulary_.id(to_byte_level({bytes, 1}));
    is_complete &= byte_ids_[static_cast<size_t>(byte)] >= 0;
    char name[8];
    std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(byte));
    fallback_ids_[static_cast<size_t>(byte)] = vocabulary_.id(name);
  }
  if (byte_fallback_ && !(prefix_.empty() && suffix_.empty()))
    part.fail_unsupported("model with word affixes and", "byte_fallback");
  // The fallback bytes would then be those of the printable characters, which this model never sees.
  if (byte_level_ && byte_fallback_ && !is_complete)
    part.fail_unsupported("model under ByteLevel with a part of the alphabet and", "byte_fallback");
}

int32_t Bpe::unit_id(std::string_view unit, bool is_first, bool is_last) const {
  const bool has_affix = (!is_first && !prefix_.empty()) || (is_last && !suffix_.empty());
  if (!has_affix) return byte_level_ ? byte_ids_[static_cast<unsigned char>(unit[0])] : vocabulary_.id(unit);
  std::string name = is_first ? "" : prefix_;
  name += byte_level_ ? to_byte_level(unit) : std::string(unit);
  if (is_last) name += suffix_;
  return vocabulary_.id(name);
}

bool Bpe::append_fallback(std::string_view unit, std::vector<Symbol>& symbols) const {
  for (const char byte : unit)
    if (fallback_ids_[static_cast<unsigned char>(byte)] < 0) return false;
  for (const char byte : unit) symbols.push_back({fallback_ids_[static_cast<unsigned char>(byte)], 1});
  return true;
}

void Bpe::append_units(std::string_view word, std::vector<Symbol>& symbols) const {
  bool after_unknown = false;
  for (size_t i = 0; i < word.size();) {
    const uint32_t length = byte_level_ ? 1 : code_point_at(word, i).length;
    const std::string_view unit = word.substr(i, length);
    i += length;
    const int32_t id = unit_id(unit, i == length, i == word.size());
    if (id < 0 && byte_fallback_ && append_fallback(unit, symbols)) {
      after_unknown = false;
      continue;
    }
    if (id < 0 && unknown_id_ < 0) continue;
    if (id < 0 && after_unknown && fuse_unknown_) {
      symbols.back().length += length;
      continue;
    }
    symbols.push_back({id < 0 ? unknown_id_ : id, length});
    after_unknown = id < 0;
  }
}

}  // namespace

std::unique_ptr<const SubwordModel> make_bpe(const JsonPart& part, bool byte_level) {
  return std::make_unique<Bpe>(part, byte_level);
}

}  // namespace normscope
