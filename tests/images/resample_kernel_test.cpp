// Every vector width's sums against the plain ones: resizing pictures shows only the widest.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.h"
#include "kernels/kernels.h"

namespace normscope::kernels {
namespace {

constexpr int32_t kOne = 1 << kWeightBits;

uint8_t plain_sum(const uint8_t* in, int64_t stride, const int32_t* weights, int64_t count) {
  int64_t sum = kOne / 2;
  for (int64_t k = 0; k < count; ++k) sum += int64_t{in[k * stride]} * weights[k];
  return static_cast<uint8_t>(std::clamp<int64_t>(sum >> kWeightBits, 0, 255));
}

// Weights of both signs that add up to about one, some beyond it, as a Lanczos filter's do.
std::vector<int32_t> draw_weights(RandomStream& random, int64_t count) {
  std::vector<int32_t> weights;
  for (int64_t k = 0; k < count; ++k)
    weights.push_back(static_cast<int32_t>((random.uniform() * 2.4 - 0.9) * kOne / static_cast<double>(count)));
  if (count > 1) weights[0] = -kOne / 8, weights[1] = kOne + kOne / 8;
  return weights;
}

std::vector<uint8_t> draw_bytes(RandomStream& random, int64_t count) {
  std::vector<uint8_t> bytes(static_cast<size_t>(count));
  for (auto& byte : bytes) byte = static_cast<uint8_t>(random.uniform() * 256);
  return bytes;
}

TEST(ResampleKernel, RowsOfEveryLengthAndTapCount) {
  RandomStream random(1, "rows");
  for (const auto* table : runnable_image_tables())
    for (const int64_t lanes : {1, 15, 16, 17, 31, 32, 47, 48, 64, 100})
      for (const int64_t count : {1, 2, 5, 8, 33}) {
        const int64_t stride = lanes + 3;
        const auto in = draw_bytes(random, stride * count);
        const auto weights = draw_weights(random, count);
        std::vector<uint8_t> out(static_cast<size_t>(lanes) + 1, 77);
        table->weighted_rows(in.data(), stride, lanes, weights.data(), count, out.data());
        for (int64_t i = 0; i < lanes; ++i)
          ASSERT_EQ(out[static_cast<size_t>(i)], plain_sum(in.data() + i, stride, weights.data(), count))
              << lanes << " lanes, " << count << " taps, lane " << i;
        EXPECT_EQ(out.back(), 77) << "wrote behind the row";
      }
}

TEST(ResampleKernel, PixelsAlongRows) {
  RandomStream random(2, "pixels");
  constexpr int64_t kWidth = 9, kInWidth = 30;
  for (const auto* table : runnable_image_tables())
    for (const int64_t count : {4, 8, 12}) {
      const int64_t stride = 3 * kInWidth + kPixelSlack, out_stride = 3 * kWidth + kPixelSlack;
      const auto in = draw_bytes(random, kPixelRows * stride);
      std::vector<PixelTaps::Range> ranges;
      std::vector<int32_t> weights;
      for (int64_t x = 0; x < kWidth; ++x) {
        ranges.push_back({2 * x, count, static_cast<int64_t>(weights.size())});
        const auto drawn = draw_weights(random, count);
        weights.insert(weights.end(), drawn.begin(), drawn.end());
      }
      std::vector<uint8_t> out(static_cast<size_t>(kPixelRows * out_stride));
      table->weighted_pixels(in.data(), stride, {ranges.data(), weights.data()}, kWidth, out.data(), out_stride);
      for (int64_t row = 0; row < kPixelRows; ++row)
        for (int64_t i = 0; i < 3 * kWidth; ++i) {
          const auto& range = ranges[static_cast<size_t>(i / 3)];
          ASSERT_EQ(out[static_cast<size_t>(row * out_stride + i)],
                    plain_sum(in.data() + row * stride + 3 * range.first + i % 3, 3, weights.data() + range.weights_at,
                              count))
              << count << " taps, row " << row << ", byte " << i;
        }
    }
}

}  // namespace
}  // namespace normscope::kernels
