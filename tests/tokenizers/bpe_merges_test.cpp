// The two ways of merging, for short and for long words, against the definition.
#include "tokenizers/bpe_merges.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"

namespace normscope {
namespace {

struct Rule {
  int rank, merged;
};

// One merge at a time: of all pairs that have one, the lowest rank, and of equals the leftmost.
std::vector<Symbol> merge_by_definition(std::vector<Symbol> word, const std::map<std::pair<int, int>, Rule>& rules) {
  while (true) {
    const Rule* best = nullptr;
    size_t at = 0;
    for (size_t i = 0; i + 1 < word.size(); ++i) {
      const auto found = rules.find({word[i].id, word[i + 1].id});
      if (found == rules.end() || (best != nullptr && best->rank <= found->second.rank)) continue;
      best = &found->second;
      at = i;
    }
    if (best == nullptr) return word;
    word[at] = {best->merged, word[at].length + word[at + 1].length};
    word.erase(word.begin() + static_cast<std::ptrdiff_t>(at + 1));
  }
}

TEST(BpeMerges, EqualTheDefinitionForWordsOfAnyLength) {
  RandomStream random(1, "merges");
  for (int round = 0; round < 200; ++round) {
    const uint64_t letters = 2 + random.below(5);
    BpeMerges merges;
    std::map<std::pair<int, int>, Rule> rules;
    int next = static_cast<int>(letters);
    for (int rank = 0; rank < 40; ++rank) {
      const auto pick = [&] { return static_cast<int>(random.below(static_cast<uint64_t>(next))); };
      const std::pair<int, int> pair{pick(), pick()};
      merges.add(pair.first, pair.second, next);
      rules[pair] = {rank, next};  // added again: the last rank counts
      ++next;
    }
    for (const size_t length : {1, 2, 7, 47, 48, 49, 50, 90, 300}) {
      std::vector<Symbol> word{{-1, 5}};  // what stands before `first` is not touched
      for (size_t i = 0; i < length; ++i)
        word.push_back({static_cast<int32_t>(random.below(letters)), static_cast<uint32_t>(1 + random.below(3))});
      std::vector<Symbol> expected = merge_by_definition({word.begin() + 1, word.end()}, rules);
      merges.apply(word, 1);
      ASSERT_EQ(word.size(), expected.size() + 1) << "round " << round << ", " << length << " symbols";
      EXPECT_EQ(word[0].id, -1);
      for (size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(word[i + 1].id, expected[i].id) << "round " << round << ", " << length << " symbols, at " << i;
        ASSERT_EQ(word[i + 1].length, expected[i].length);
      }
    }
  }
}

TEST(BpeMerges, NoMergesLeaveTheWord) {
  std::vector<Symbol> word(100, Symbol{3, 1});
  BpeMerges().apply(word, 0);
  EXPECT_EQ(word.size(), 100u);
}

}  // namespace
}  // namespace normscope
