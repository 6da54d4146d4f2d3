// Python's random module: seeding, getrandbits, randbelow and both branches of sample.
#include "data/python_random.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <unordered_set>

namespace normscope {
namespace {

MersenneTwister seeded(int64_t seed) {
  const uint64_t magnitude = seed < 0 ? 0 - static_cast<uint64_t>(seed) : static_cast<uint64_t>(seed);
  const uint32_t words[] = {static_cast<uint32_t>(magnitude), static_cast<uint32_t>(magnitude >> 32)};
  return MersenneTwister::from_words(std::span(words, words[1] ? 2 : 1));
}

// Largest population for which sample() copies it instead of remembering what was drawn.
double largest_pool(size_t count) {
  double size = 21;
  if (count > 5) size += std::pow(4.0, std::ceil(std::log(3.0 * static_cast<double>(count)) / std::log(4.0)));
  return size;
}

}  // namespace

PythonRandom::PythonRandom(int64_t seed) : generator_(seeded(seed)) {}

uint64_t PythonRandom::getrandbits(int num_bits) {
  assert(num_bits >= 1 && num_bits <= 64);
  if (num_bits <= 32) return generator_.bits() >> (32 - num_bits);
  const uint64_t low = generator_.bits();
  return low | static_cast<uint64_t>(generator_.bits() >> (64 - num_bits)) << 32;
}

uint64_t PythonRandom::randbelow(uint64_t bound) {
  assert(bound >= 1);
  const int num_bits = std::bit_width(bound);
  uint64_t draw = getrandbits(num_bits);
  while (draw >= bound) draw = getrandbits(num_bits);
  return draw;
}

std::vector<int64_t> PythonRandom::sample(const std::vector<int64_t>& population, size_t count) {
  assert(count <= population.size());
  const size_t size = population.size();
  std::vector<int64_t> drawn;
  drawn.reserve(count);
  if (static_cast<double>(size) <= largest_pool(count)) {
    std::vector<int64_t> pool = population;
    for (size_t i = 0; i < count; ++i) {
      const size_t j = randbelow(size - i);
      drawn.push_back(pool[j]);
      pool[j] = pool[size - i - 1];
    }
    return drawn;
  }
  std::unordered_set<uint64_t> taken;
  while (drawn.size() < count) {
    const uint64_t j = randbelow(size);
    if (taken.insert(j).second) drawn.push_back(population[j]);
  }
  return drawn;
}

}  // namespace normscope
