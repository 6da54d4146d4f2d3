// Seeded random streams, one a purpose, equal on every machine.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace normscope {

// 64 bits from (key, counter) with no state: the same for any order and any number of threads.
// Source: Steele, Lea, Flood 2014 (SplitMix64's finaliser), applied twice.
constexpr uint64_t mix(uint64_t key, uint64_t counter) {
  uint64_t z = key ^ (counter * 0x9e3779b97f4a7c15ULL);
  for (int round = 0; round < 2; ++round) {
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
  }
  return z;
}

// A stream of numbers named by seed and purpose ("split", "noise", "init", "shuffle", "dropout", ...).
class RandomStream {
 public:
  RandomStream(uint64_t seed, std::string_view purpose, uint64_t part = 0);

  uint64_t bits() { return mix(key_, counter_++); }
  double uniform();                // in [0, 1)
  uint64_t below(uint64_t bound);  // in [0, bound), unbiased; bound >= 1
  double normal();                 // mean 0, variance 1 (Box-Muller)
  uint64_t key() const { return key_; }

 private:
  uint64_t key_, counter_ = 0;
};

// Fisher-Yates; std::shuffle differs between standard libraries.
template <typename T>
void shuffle(std::vector<T>& values, RandomStream& random) {
  for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

}  // namespace normscope
