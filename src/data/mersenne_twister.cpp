// MT19937: seeding by word and by array, twist and temper.
#include "data/mersenne_twister.h"

#include <algorithm>
#include <cassert>

namespace normscope {

MersenneTwister MersenneTwister::from_word(uint32_t seed) {
  MersenneTwister generator;
  auto& state = generator.state_;
  state[0] = seed;
  for (uint32_t i = 1; i < kWords; ++i) state[i] = 1812433253U * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
  return generator;
}

MersenneTwister MersenneTwister::from_words(std::span<const uint32_t> words) {
  assert(!words.empty());
  MersenneTwister generator = from_word(19650218U);
  auto& state = generator.state_;
  const auto num_words = static_cast<uint32_t>(words.size());
  uint32_t i = 1, j = 0;
  const auto step = [&] {
    if (++i == kWords) {
      state[0] = state[kWords - 1];
      i = 1;
    }
  };
  for (uint32_t k = std::max<uint32_t>(kWords, num_words); k > 0; --k) {
    state[i] = (state[i] ^ ((state[i - 1] ^ (state[i - 1] >> 30)) * 1664525U)) + words[j] + j;
    step();
    if (++j == num_words) j = 0;
  }
  for (uint32_t k = kWords - 1; k > 0; --k) {
    state[i] = (state[i] ^ ((state[i - 1] ^ (state[i - 1] >> 30)) * 1566083941U)) - i;
    step();
  }
  state[0] = 0x80000000U;
  return generator;
}

void MersenneTwister::refill() {
  constexpr int kShift = 397;
  for (int i = 0; i < kWords; ++i) {
    const uint32_t joined = (state_[i] & 0x80000000U) | (state_[(i + 1) % kWords] & 0x7fffffffU);
    state_[i] = state_[(i + kShift) % kWords] ^ (joined >> 1) ^ ((joined & 1U) ? 0x9908b0dfU : 0U);
  }
  next_ = 0;
}

uint32_t MersenneTwister::bits() {
  if (next_ == kWords) refill();
  uint32_t word = state_[next_++];
  word ^= word >> 11;
  word ^= (word << 7) & 0x9d2c5680U;
  word ^= (word << 15) & 0xefc60000U;
  return word ^ (word >> 18);
}

}  // namespace normscope
