// Weighted sums of rows of bytes, and of pixels along rows, in fixed point.
#include <algorithm>
#include <cstring>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "kernels/variant.h"

namespace normscope::kernels::NORMSCOPE_KERNELS {
namespace {

constexpr int64_t kLanes = 16;

uint8_t rounded(int32_t sum) { return static_cast<uint8_t>(std::clamp(sum >> kWeightBits, 0, 255)); }

#if defined(__AVX2__)

// A weight is high * 2^12 + low, so that two rows' products with 16-bit parts are one instruction; sums that wrap on
// the way wrap back, since all of it is arithmetic modulo 2^32.
constexpr int kLowBits = 12;

__m256i pair_of(int32_t first, int32_t second) {
  return _mm256_set1_epi32(static_cast<int32_t>((static_cast<uint32_t>(second) << 16) | (first & 0xffff)));
}

struct WideSums {
  __m256i high, low;

  // `bytes` holds eight lanes of two rows, interleaved.
  void add(__m128i bytes, __m256i high_weights, __m256i low_weights) {
    const __m256i words = _mm256_cvtepu8_epi16(bytes);
    high = _mm256_add_epi32(high, _mm256_madd_epi16(words, high_weights));
    low = _mm256_add_epi32(low, _mm256_madd_epi16(words, low_weights));
  }

  __m256i shifted() const {
    const __m256i half = _mm256_set1_epi32(1 << (kWeightBits - 1));
    return _mm256_srai_epi32(_mm256_add_epi32(_mm256_add_epi32(_mm256_slli_epi32(high, kLowBits), low), half),
                             kWeightBits);
  }
};

void store_bytes(__m256i first, __m256i second, uint8_t* out) {
  // Packing works within halves of a register: lanes 0-3, 8-11, 4-7, 12-15.
  const __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(first, second), 0xd8);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                   _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)));
}

__m128i load_bytes(const uint8_t* in) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(in)); }

template <int64_t parts>
void sum_block(const uint8_t* in, int64_t stride, const int32_t* weights, int64_t count, uint8_t* out) {
  WideSums sums[2 * parts];
#pragma GCC unroll 8
  for (auto& sum : sums) sum.high = sum.low = _mm256_setzero_si256();
  for (int64_t k = 0; k < count; k += 2, in += 2 * stride) {
    const bool is_pair = k + 1 < count;
    const int32_t a = weights[k], b = is_pair ? weights[k + 1] : 0;
    const uint8_t* next = is_pair ? in + stride : in;
    const __m256i high = pair_of(a >> kLowBits, b >> kLowBits);
    const __m256i low = pair_of(a & ((1 << kLowBits) - 1), b & ((1 << kLowBits) - 1));
#pragma GCC unroll 8
    for (int64_t part = 0; part < parts; ++part) {
      const __m128i here = load_bytes(in + part * kLanes), there = load_bytes(next + part * kLanes);
      sums[2 * part].add(_mm_unpacklo_epi8(here, there), high, low);
      sums[2 * part + 1].add(_mm_unpackhi_epi8(here, there), high, low);
    }
  }
#pragma GCC unroll 8
  for (int64_t part = 0; part < parts; ++part)
    store_bytes(sums[2 * part].shifted(), sums[2 * part + 1].shifted(), out + part * kLanes);
}

// One pixel of kPixelRows rows, four taps at a time.
inline __attribute__((always_inline)) void sum_pixel(const uint8_t* in, int64_t in_stride, const int32_t* weights,
                                                     int64_t count, uint8_t* out, int64_t out_stride) {
  // Pixels 0 and 1 as pairs of red, green, blue; then pixels 2 and 3.
  const __m128i pairs = _mm_setr_epi8(0, 3, 1, 4, 2, 5, -1, -1, 6, 9, 7, 10, 8, 11, -1, -1);
  const __m256i spread_high =
      _mm256_setr_epi8(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7);
  const __m256i spread_low = _mm256_add_epi8(spread_high, _mm256_set1_epi8(8));
  WideSums sums[kPixelRows];
#pragma GCC unroll 4
  for (auto& sum : sums) sum.high = sum.low = _mm256_setzero_si256();
  for (int64_t k = 0; k < count; k += kPixelTaps, in += 3 * kPixelTaps) {
    const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(weights + k));
    const __m256i parts = _mm256_broadcastsi128_si256(
        _mm_packs_epi32(_mm_srai_epi32(four, kLowBits), _mm_and_si128(four, _mm_set1_epi32((1 << kLowBits) - 1))));
    const __m256i high = _mm256_shuffle_epi8(parts, spread_high), low = _mm256_shuffle_epi8(parts, spread_low);
#pragma GCC unroll 4
    for (int64_t row = 0; row < kPixelRows; ++row)
      sums[row].add(_mm_shuffle_epi8(load_bytes(in + row * in_stride), pairs), high, low);
  }
  __m128i ends[kPixelRows];
#pragma GCC unroll 4
  for (int64_t row = 0; row < kPixelRows; ++row) {
    const __m256i sum = _mm256_add_epi32(_mm256_slli_epi32(sums[row].high, kLowBits), sums[row].low);
    const __m128i both = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    ends[row] = _mm_srai_epi32(_mm_add_epi32(both, _mm_set1_epi32(1 << (kWeightBits - 1))), kWeightBits);
  }
  const __m128i bytes = _mm_packus_epi16(_mm_packs_epi32(ends[0], ends[1]), _mm_packs_epi32(ends[2], ends[3]));
  const int32_t pixels[kPixelRows] = {_mm_cvtsi128_si32(bytes), _mm_extract_epi32(bytes, 1),
                                      _mm_extract_epi32(bytes, 2), _mm_extract_epi32(bytes, 3)};
  // The fourth byte is the next pixel's, written after this one, or slack.
#pragma GCC unroll 4
  for (int64_t row = 0; row < kPixelRows; ++row) std::memcpy(out + row * out_stride, &pixels[row], 4);
}

#else

template <int64_t parts>
void sum_block(const uint8_t* in, int64_t stride, const int32_t* weights, int64_t count, uint8_t* out) {
  constexpr int64_t kBlock = parts * kLanes;
  int32_t sums[kBlock];
  std::fill(sums, sums + kBlock, 1 << (kWeightBits - 1));
  for (int64_t k = 0; k < count; ++k, in += stride) {
    const int32_t weight = weights[k];
    for (int64_t i = 0; i < kBlock; ++i) sums[i] += in[i] * weight;
  }
  for (int64_t i = 0; i < kBlock; ++i) out[i] = rounded(sums[i]);
}

void sum_pixel(const uint8_t* in, int64_t in_stride, const int32_t* weights, int64_t count, uint8_t* out,
               int64_t out_stride) {
  for (int64_t row = 0; row < kPixelRows; ++row, in += in_stride, out += out_stride) {
    int32_t red = 1 << (kWeightBits - 1), green = red, blue = red;
    for (int64_t k = 0; k < count; ++k) {
      red += in[3 * k] * weights[k];
      green += in[3 * k + 1] * weights[k];
      blue += in[3 * k + 2] * weights[k];
    }
    out[0] = rounded(red);
    out[1] = rounded(green);
    out[2] = rounded(blue);
  }
}

#endif

}  // namespace

void weighted_rows(const uint8_t* in, int64_t stride, int64_t lanes, const int32_t* weights, int64_t count,
                   uint8_t* out) {
  constexpr int64_t kParts = 2;
  int64_t i = 0;
  for (; i + kParts * kLanes <= lanes; i += kParts * kLanes) sum_block<kParts>(in + i, stride, weights, count, out + i);
  for (; i + kLanes <= lanes; i += kLanes) sum_block<1>(in + i, stride, weights, count, out + i);
  if (i < lanes && lanes >= kLanes) {
    // The last block overlaps the one before.
    sum_block<1>(in + lanes - kLanes, stride, weights, count, out + lanes - kLanes);
    return;
  }
  for (; i < lanes; ++i) {
    int32_t sum = 1 << (kWeightBits - 1);
    for (int64_t k = 0; k < count; ++k) sum += in[k * stride + i] * weights[k];
    out[i] = rounded(sum);
  }
}

void weighted_pixels(const uint8_t* in, int64_t in_stride, const PixelTaps& taps, int64_t width, uint8_t* out,
                     int64_t out_stride) {
  for (int64_t x = 0; x < width; ++x, out += 3) {
    const PixelTaps::Range& range = taps.ranges[x];
    sum_pixel(in + 3 * range.first, in_stride, taps.weights + range.weights_at, range.count, out, out_stride);
  }
}

}  // namespace normscope::kernels::NORMSCOPE_KERNELS
