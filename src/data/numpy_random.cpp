// NumPy's legacy RandomState: seeding, bounded integers, permutation and choice.
#include "data/numpy_random.h"

#include <bit>
#include <cassert>
#include <numeric>

#include "core/error.h"

namespace normscope {
namespace {

uint32_t checked_seed(int64_t seed) {
  require(seed >= 0 && seed <= 0xffffffffLL, ErrorKind::Usage, "seed ", seed,
          " cannot seed a split: expected 0 to 4294967295");
  return static_cast<uint32_t>(seed);
}

}  // namespace

NumpyRandom::NumpyRandom(int64_t seed) : generator_(MersenneTwister::from_word(checked_seed(seed))) {}

uint64_t NumpyRandom::up_to(uint64_t largest) {
  if (largest == 0) return 0;
  const uint64_t mask = ~uint64_t{0} >> std::countl_zero(largest);
  const bool is_wide = largest > 0xffffffffU;
  for (;;) {
    uint64_t draw = generator_.bits();
    if (is_wide) draw = draw << 32 | generator_.bits();
    draw &= mask;
    if (draw <= largest) return draw;
  }
}

std::vector<int64_t> NumpyRandom::permutation(int64_t count) {
  std::vector<int64_t> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), int64_t{0});
  shuffle(numbers);
  return numbers;
}

std::vector<int64_t> NumpyRandom::choice(int64_t size, int64_t count) {
  assert(count >= 0 && count <= size);
  auto numbers = permutation(size);
  numbers.resize(static_cast<size_t>(count));
  return numbers;
}

std::vector<int64_t> pandas_sample(int64_t size, int64_t count, int64_t seed) {
  return NumpyRandom(seed).choice(size, count);
}

}  // namespace normscope
