// The merge table of byte-pair encoding and the merging itself.
#pragma once
#include <cstdint>
#include <vector>

#include "tokenizers/word_cache.h"

namespace normscope {

class BpeMerges {
 public:
  // The rank is the order of addition; a pair that is added again keeps the last rank.
  void add(int32_t left, int32_t right, int32_t merged);

  // Merges neighbours in `word` from index `first` on, lowest rank first, the leftmost of equals first.
  void apply(std::vector<Symbol>& word, size_t first) const;

 private:
  friend class MergeQueue;
  struct Merge {
    uint64_t pair = kEmpty;
    uint32_t rank = kNone;
    int32_t merged = -1;
  };
  static constexpr uint64_t kEmpty = ~uint64_t{0};
  static constexpr uint32_t kNone = 0xffffffff;

  static uint64_t key(int32_t left, int32_t right) {
    return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
  }
  size_t slot(uint64_t pair) const;
  const Merge* find(int32_t left, int32_t right) const;  // nullptr when the pair has no merge
  void apply_by_scanning(std::vector<Symbol>& word, size_t first) const;
  void grow();

  std::vector<Merge> table_;  // open addressing, a power of two, at most half full
  size_t num_pairs_ = 0;
  uint32_t num_added_ = 0;
};

}  // namespace normscope
