// What a model made of the words it saw last; one cache a thread.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// A token and how many bytes of the word it covers.
struct Symbol {
  int32_t id;
  uint32_t length;
};

class WordCache {
 public:
  WordCache() : slots_(kSlots) {}

  // The remembered symbols of `word`, or nothing; they are valid until the next store().
  // A word of a model is never empty, so nothing and "no symbols" are told apart by `found`.
  std::span<const Symbol> find(std::string_view word, uint64_t hash, bool& found) const;
  void store(std::string_view word, uint64_t hash, std::span<const Symbol> symbols);

 private:
  static constexpr size_t kSlots = 1 << 13;
  static constexpr size_t kMaxWordBytes = 256;  // longer ones hardly come again
  static constexpr size_t kMaxBytes = 1 << 20;  // of words; then all is forgotten
  struct Slot {
    uint64_t hash = 0;
    uint32_t word_begin = 0, word_length = 0;  // word_length 0: empty
    uint32_t symbols_begin = 0, num_symbols = 0;
  };
  std::vector<Slot> slots_;
  std::string words_;
  std::vector<Symbol> symbols_;
};

}  // namespace normscope
