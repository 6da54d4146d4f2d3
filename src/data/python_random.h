// Python's random module, draw for draw: what the study's noise lists were made with.
// Source: CPython Lib/random.py and Modules/_randommodule.c, as study.md 2.3 states them.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "data/mersenne_twister.h"

namespace normscope {

class PythonRandom {
 public:
  explicit PythonRandom(int64_t seed);  // random.seed(seed); the sign is dropped, as Python drops it

  uint64_t getrandbits(int num_bits);  // 1 to 64 bits
  uint64_t randbelow(uint64_t bound);  // in [0, bound); bound >= 1
  // random.sample: `count` distinct values in drawn order; count <= population.size().
  std::vector<int64_t> sample(const std::vector<int64_t>& population, size_t count);

  template <typename T>
  const T& choice(const std::vector<T>& values) {
    return values[randbelow(values.size())];
  }

  template <typename T>
  void shuffle(std::vector<T>& values) {
    for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[randbelow(i)]);
  }

 private:
  MersenneTwister generator_;
};

}  // namespace normscope
