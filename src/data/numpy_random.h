// NumPy's legacy RandomState, draw for draw: what scikit-learn's splits and pandas' samples are made with.
// Source: NumPy numpy/random/mtrand.pyx (shuffle, permutation, choice) and its masked rejection of integers.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "data/mersenne_twister.h"

namespace normscope {

class NumpyRandom {
 public:
  // RandomState(seed). Throws Error(Usage) outside [0, 2^32), as NumPy refuses it.
  explicit NumpyRandom(int64_t seed);

  template <typename T>
  void shuffle(std::vector<T>& values) {
    for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[up_to(i - 1)]);
  }

  std::vector<int64_t> permutation(int64_t count);  // of 0 .. count - 1
  // choice(size, count, replace=False): `count` distinct numbers under `size`; count <= size.
  std::vector<int64_t> choice(int64_t size, int64_t count);

 private:
  uint64_t up_to(uint64_t largest);  // in [0, largest]

  MersenneTwister generator_;
};

// DataFrame.sample(n=count, random_state=seed): positions among `size` rows, in drawn order.
std::vector<int64_t> pandas_sample(int64_t size, int64_t count, int64_t seed);

}  // namespace normscope
