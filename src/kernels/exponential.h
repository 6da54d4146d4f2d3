// exp for the kernels: a polynomial the compiler vectorises for float, the library's for double.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace normscope::kernels {

// Relative error under 2e-7 for x <= 0 (softmax arguments); 0 below -87.
inline float fast_exp(float x) {
  const float clamped = x < -87.0f ? -87.0f : x;
  const float n = std::nearbyint(clamped * 1.44269504088896341f);
  const float r = (clamped - n * 0.693359375f) + n * 2.12194440e-4f;  // Cody-Waite split of ln 2
  float p = 1.9875691500e-4f;                                         // minimax polynomial of Cephes' expf
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const float value = p * r * r + r + 1.0f;
  const auto power = std::bit_cast<float>((static_cast<int32_t>(n) + 127) << 23);
  return x < -87.0f ? 0.0f : value * power;
}

inline double fast_exp(double x) { return std::exp(x); }

}  // namespace normscope::kernels
