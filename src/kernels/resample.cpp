// Weighted sums of rows of bytes in fixed point, and the turning that lets them sum along a row.
#include <algorithm>
#include <cstring>

#include "kernels/variant.h"

namespace normscope::kernels::NORMSCOPE_KERNELS {
namespace {

// Lanes that one step sums in registers: 48 bytes, 16 RGB pixels.
constexpr int64_t kLanes = 16;
constexpr int64_t kParts = 3;
typedef int32_t Sums __attribute__((vector_size(4 * kLanes)));
typedef uint8_t Bytes __attribute__((vector_size(kLanes)));

uint8_t rounded(int32_t sum) { return static_cast<uint8_t>(std::clamp(sum >> kWeightBits, 0, 255)); }

void sum_block(const uint8_t* in, int64_t stride, const int32_t* weights, int64_t count, uint8_t* out) {
  Sums sums[kParts];
  for (auto& sum : sums) sum = Sums{} + (1 << (kWeightBits - 1));
  for (int64_t k = 0; k < count; ++k, in += stride)
    for (int64_t part = 0; part < kParts; ++part) {
      Bytes bytes;
      std::memcpy(&bytes, in + part * kLanes, sizeof bytes);
      sums[part] += __builtin_convertvector(bytes, Sums) * weights[k];
    }
  for (int64_t part = 0; part < kParts; ++part) {
    Sums sum = sums[part] >> kWeightBits;
    sum = sum < 0 ? Sums{} : sum;
    sum = sum > 255 ? Sums{} + 255 : sum;
    const auto bytes = __builtin_convertvector(sum, Bytes);
    std::memcpy(out + part * kLanes, &bytes, sizeof bytes);
  }
}

}  // namespace

void weighted_rows(const uint8_t* in, int64_t stride, int64_t lanes, const int32_t* weights, int64_t count,
                   uint8_t* out) {
  constexpr int64_t kBlock = kParts * kLanes;
  int64_t i = 0;
  for (; i + kBlock <= lanes; i += kBlock) sum_block(in + i, stride, weights, count, out + i);
  if (i < lanes && lanes >= kBlock) {
    // The last block overlaps the one before.
    sum_block(in + lanes - kBlock, stride, weights, count, out + lanes - kBlock);
    return;
  }
  for (; i < lanes; ++i) {
    int32_t sum = 1 << (kWeightBits - 1);
    for (int64_t k = 0; k < count; ++k) sum += in[k * stride + i] * weights[k];
    out[i] = rounded(sum);
  }
}

void turn_rows(const uint8_t* in, int64_t width, int64_t rows, uint8_t* out) {
  for (int64_t y = 0; y < rows; ++y) {
    const uint8_t* from = in + 3 * width * y;
    uint8_t* to = out + 3 * y;
    for (int64_t x = 0; x < width; ++x, from += 3, to += 3 * kTurnedRows) std::memcpy(to, from, 3);
  }
}

void turn_back(const uint8_t* in, int64_t width, int64_t rows, uint8_t* out) {
  for (int64_t y = 0; y < rows; ++y) {
    const uint8_t* from = in + 3 * y;
    uint8_t* to = out + 3 * width * y;
    for (int64_t x = 0; x < width; ++x, from += 3 * kTurnedRows, to += 3) std::memcpy(to, from, 3);
  }
}

}  // namespace normscope::kernels::NORMSCOPE_KERNELS
