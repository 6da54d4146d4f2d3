// The merge table of byte-pair encoding and the merging itself.
#include "tokenizers/bpe_merges.h"

#include <algorithm>
#include <array>
#include <queue>

namespace normscope {
namespace {

constexpr size_t kScanLimit = 48;  // symbols; above, the quadratic scan loses against the queue

}  // namespace

// Long words: a queue of the possible merges and a list of the symbols that are left.
class MergeQueue {
 public:
  MergeQueue(const BpeMerges& merges, std::vector<Symbol>& word, size_t first)
      : merges_(merges), word_(word), first_(first), links_(word.size() - first) {
    for (size_t i = 0; i < links_.size(); ++i)
      links_[i] = {i == 0 ? kEnd : i - 1, i + 1 < links_.size() ? i + 1 : kEnd};
    for (size_t i = 0; i + 1 < links_.size(); ++i) push(i);
  }

  void run() {
    while (!queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      const size_t right = links_[best.left].next;
      // Either side may have been merged away since the candidate was found.
      if (symbol(best.left).length == kDead || right == kEnd) continue;
      const auto* merge = merges_.find(symbol(best.left).id, symbol(right).id);
      if (merge == nullptr || merge->rank != best.rank) continue;
      symbol(best.left) = {merge->merged, symbol(best.left).length + symbol(right).length};
      symbol(right).length = kDead;
      links_[best.left].next = links_[right].next;
      if (links_[right].next != kEnd) links_[links_[right].next].previous = best.left;
      if (links_[best.left].previous != kEnd) push(links_[best.left].previous);
      push(best.left);
    }
    std::erase_if(word_, [](const Symbol& s) { return s.length == kDead; });
  }

 private:
  static constexpr size_t kEnd = SIZE_MAX;
  static constexpr uint32_t kDead = 0xffffffff;
  struct Link {
    size_t previous, next;
  };
  struct Candidate {
    uint32_t rank;
    size_t left;
    bool operator<(const Candidate& other) const {  // the top of the queue is the largest
      return rank != other.rank ? rank > other.rank : left > other.left;
    }
  };

  Symbol& symbol(size_t i) { return word_[first_ + i]; }
  void push(size_t left) {
    const size_t right = links_[left].next;
    if (right == kEnd) return;
    const auto* merge = merges_.find(symbol(left).id, symbol(right).id);
    if (merge != nullptr) queue_.push({merge->rank, left});
  }

  const BpeMerges& merges_;
  std::vector<Symbol>& word_;
  size_t first_;
  std::vector<Link> links_;
  std::priority_queue<Candidate> queue_;
};

size_t BpeMerges::slot(uint64_t pair) const {
  const size_t mask = table_.size() - 1;
  size_t at = ((pair * 0x9e3779b97f4a7c15ULL) >> 32) & mask;
  while (table_[at].pair != kEmpty && table_[at].pair != pair) at = (at + 1) & mask;
  return at;
}

const BpeMerges::Merge* BpeMerges::find(int32_t left, int32_t right) const {
  if (table_.empty()) return nullptr;
  const Merge& found = table_[slot(key(left, right))];
  return found.pair == kEmpty ? nullptr : &found;
}

void BpeMerges::grow() {
  std::vector<Merge> old = std::move(table_);
  table_.assign(std::max<size_t>(old.size() * 2, 64), Merge());
  for (const Merge& merge : old)
    if (merge.pair != kEmpty) table_[slot(merge.pair)] = merge;
}

void BpeMerges::add(int32_t left, int32_t right, int32_t merged) {
  if ((num_pairs_ + 1) * 2 > table_.size()) grow();
  Merge& place = table_[slot(key(left, right))];
  num_pairs_ += place.pair == kEmpty;
  place = {key(left, right), num_added_++, merged};
}

void BpeMerges::apply(std::vector<Symbol>& word, size_t first) const {
  const size_t count = word.size() - first;
  if (count < 2) return;
  if (count <= kScanLimit) {
    apply_by_scanning(word, first);
  } else {
    MergeQueue(*this, word, first).run();
  }
}

void BpeMerges::apply_by_scanning(std::vector<Symbol>& word, size_t first) const {
  std::array<Symbol, kScanLimit> symbols;
  std::array<uint32_t, kScanLimit> ranks;  // of the pair that begins at each symbol
  std::array<int32_t, kScanLimit> merged;
  size_t count = word.size() - first;
  std::copy(word.begin() + static_cast<std::ptrdiff_t>(first), word.end(), symbols.begin());
  const auto rate = [&](size_t i) {
    const Merge* merge = find(symbols[i].id, symbols[i + 1].id);
    ranks[i] = merge == nullptr ? kNone : merge->rank;
    merged[i] = merge == nullptr ? -1 : merge->merged;
  };
  for (size_t i = 0; i + 1 < count; ++i) rate(i);
  while (count > 1) {
    size_t best = 0;
    for (size_t i = 1; i + 1 < count; ++i)
      if (ranks[i] < ranks[best]) best = i;
    if (ranks[best] == kNone) break;
    symbols[best] = {merged[best], symbols[best].length + symbols[best + 1].length};
    for (size_t i = best + 1; i + 1 < count; ++i) {
      symbols[i] = symbols[i + 1];
      ranks[i] = ranks[i + 1];
      merged[i] = merged[i + 1];
    }
    --count;
    if (best + 1 < count) rate(best);
    if (best > 0) rate(best - 1);
  }
  word.resize(first);
  word.insert(word.end(), symbols.begin(), symbols.begin() + static_cast<std::ptrdiff_t>(count));
}

}  // namespace normscope
