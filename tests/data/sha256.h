// SHA-256, for the golden files' digests of long label lists.
// Source: FIPS 180-4.
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace normscope {

inline std::string sha256_hex(std::string_view message) {
  // The constants are the first 32 bits of the fractional parts of roots of the first 64 primes.
  std::array<uint32_t, 64> constants{};
  std::array<uint32_t, 8> hash{};
  int num_primes = 0;
  for (int n = 2; num_primes < 64; ++n) {
    bool is_prime = true;
    for (int d = 2; d * d <= n; ++d) is_prime = is_prime && n % d != 0;
    if (!is_prime) continue;
    const auto fraction = [](long double root) {
      return static_cast<uint32_t>((root - std::floor(root)) * 4294967296.0L);
    };
    if (num_primes < 8) hash[num_primes] = fraction(std::sqrt(static_cast<long double>(n)));
    constants[num_primes++] = fraction(std::cbrt(static_cast<long double>(n)));
  }
  std::string padded(message);
  padded += '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  for (int shift = 56; shift >= 0; shift -= 8)
    padded += static_cast<char>(static_cast<uint64_t>(message.size()) * 8 >> shift);
  for (size_t block = 0; block < padded.size(); block += 64) {
    std::array<uint32_t, 64> words{};
    for (size_t i = 0; i < 64; ++i)
      words[i / 4] |= static_cast<uint32_t>(static_cast<unsigned char>(padded[block + i])) << (24 - 8 * (i % 4));
    for (size_t i = 16; i < 64; ++i) {
      const uint32_t a = words[i - 15], b = words[i - 2];
      words[i] = words[i - 16] + words[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) +
                 (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
    }
    auto [a, b, c, d, e, f, g, h] = hash;
    for (size_t i = 0; i < 64; ++i) {
      const uint32_t first =
          h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + words[i];
      const uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
    }
    const uint32_t added[] = {a, b, c, d, e, f, g, h};
    for (size_t i = 0; i < 8; ++i) hash[i] += added[i];
  }
  std::string hex;
  for (const uint32_t word : hash)
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[word >> shift & 15];
  return hex;
}

}  // namespace normscope
