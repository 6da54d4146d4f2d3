// What a model made of the words it saw last; one cache a thread.
#include "tokenizers/word_cache.h"

#include <algorithm>

namespace normscope {

std::span<const Symbol> WordCache::find(std::string_view word, uint64_t hash, bool& found) const {
  const Slot& slot = slots_[hash % kSlots];
  found = slot.hash == hash && slot.word_length == word.size() &&
          std::string_view(words_).substr(slot.word_begin, slot.word_length) == word;
  if (!found) return {};
  return std::span(symbols_).subspan(slot.symbols_begin, slot.num_symbols);
}

void WordCache::store(std::string_view word, uint64_t hash, std::span<const Symbol> symbols) {
  if (word.size() > kMaxWordBytes) return;
  if (words_.size() > kMaxBytes || symbols_.size() > kMaxBytes) {
    std::fill(slots_.begin(), slots_.end(), Slot());
    words_.clear();
    symbols_.clear();
  }
  slots_[hash % kSlots] = {hash, static_cast<uint32_t>(words_.size()), static_cast<uint32_t>(word.size()),
                           static_cast<uint32_t>(symbols_.size()), static_cast<uint32_t>(symbols.size())};
  words_ += word;
  symbols_.insert(symbols_.end(), symbols.begin(), symbols.end());
}

}  // namespace normscope
