#include "core/random.h"

#include <cmath>
#include <numbers>

namespace normscope {

RandomStream::RandomStream(uint64_t seed, std::string_view purpose, uint64_t part) {
  uint64_t name = 0xcbf29ce484222325ULL;  // FNV-1a, 64 bits
  for (const char c : purpose) name = (name ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  key_ = mix(mix(seed, name), part);
}

double RandomStream::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

uint64_t RandomStream::below(uint64_t bound) {
  const uint64_t unfair = (0 - bound) % bound;  // draws under it would favour small results
  uint64_t draw = bits();
  while (draw < unfair) draw = bits();
  return draw % bound;
}

double RandomStream::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace normscope
