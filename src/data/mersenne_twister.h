// The generator behind Python's random and NumPy's RandomState: MT19937, 32 bits a draw.
// Source: Matsumoto, Nishimura 1998, "Mersenne Twister", with the seeding of their 2002 reference code.
#pragma once
#include <array>
#include <cstdint>
#include <span>

namespace normscope {

class MersenneTwister {
 public:
  // init_genrand: how NumPy's RandomState takes an integer seed.
  static MersenneTwister from_word(uint32_t seed);
  // init_by_array: how Python takes the 32-bit words of an integer, lowest first. At least one word.
  static MersenneTwister from_words(std::span<const uint32_t> words);

  uint32_t bits();

 private:
  static constexpr int kWords = 624;
  void refill();

  std::array<uint32_t, kWords> state_{};
  int next_ = kWords;
};

}  // namespace normscope
