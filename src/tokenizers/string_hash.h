// A fast hash of short strings, for tables inside one process only.
#pragma once
#include <cstdint>
#include <cstring>
#include <string_view>

namespace normscope {

__extension__ typedef unsigned __int128 DoubleWord;

// Multiply and fold 8 bytes at a time; words are rarely longer than that.
inline uint64_t string_hash(std::string_view text) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio
  const auto mixed = [](uint64_t h) {
    const auto product = static_cast<DoubleWord>(h) * kOdd;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  };
  uint64_t hash = text.size() * kOdd;
  const char* at = text.data();
  size_t left = text.size();
  for (; left >= 8; at += 8, left -= 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    hash = mixed(hash ^ word);
  }
  uint64_t tail = 0;
  if (left >= 4) {  // two overlapping halves cover 4 to 7 bytes
    uint32_t low, high;
    std::memcpy(&low, at, 4);
    std::memcpy(&high, at + left - 4, 4);
    tail = static_cast<uint64_t>(high) << 32 | low;
  } else if (left > 0) {
    tail = static_cast<uint64_t>(static_cast<unsigned char>(at[0])) << 16 |
           static_cast<uint64_t>(static_cast<unsigned char>(at[left / 2])) << 8 |
           static_cast<unsigned char>(at[left - 1]);
  }
  return mixed(mixed(hash ^ tail) + text.size());
}

}  // namespace normscope
