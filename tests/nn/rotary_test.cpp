// Rotary positions: their algebra, against the definition in complex numbers.
#include "nn/rotary.h"

#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

namespace normscope {
namespace {

constexpr int64_t kSize = 6;

torch::Tensor turned(const torch::Tensor& x, const std::vector<int64_t>& positions, double base,
                     int64_t turned_size = kSize) {
  Rotary rotary(kSize, turned_size, base);
  rotary.set_positions(torch::tensor(positions), x.options(), Pass());
  return rotary.turn(x);
}

TEST(Rotary, TurnsPairsByTheAngleOfTheirPosition) {
  const auto x = at::randn({2, 2 * kSize}, torch::kFloat64);
  const std::vector<int64_t> positions = {3, 11};
  const auto y = turned(x, positions, 100.0);
  for (int64_t n = 0; n < 2; ++n)
    for (int64_t head = 0; head < 2; ++head)
      for (int64_t c = 0; c < kSize / 2; ++c) {
        const auto at = [&](const torch::Tensor& t, int64_t column) {
          return t[n][head * kSize + column].item<double>();
        };
        const double angle = static_cast<double>(positions[static_cast<size_t>(n)]) /
                             std::pow(100.0, 2.0 * static_cast<double>(c) / kSize);
        const auto expected = std::complex(at(x, c), at(x, c + kSize / 2)) * std::polar(1.0, angle);
        EXPECT_NEAR(at(y, c), expected.real(), 1e-12);
        EXPECT_NEAR(at(y, c + kSize / 2), expected.imag(), 1e-12);
      }
}

TEST(Rotary, TurnsTheFirstColumnsOnlyWhenAskedTo) {
  const auto x = at::randn({2, 2 * kSize}, torch::kFloat64), y = turned(x, {3, 11}, 100.0, 4);
  const auto rest = [](const torch::Tensor& t) { return t.view({2, 2, kSize}).narrow(2, 4, 2); };
  const auto first = [](const torch::Tensor& t) { return t.view({2, 2, kSize}).narrow(2, 0, 4); };
  EXPECT_TRUE(rest(x).equal(rest(y)));
  Rotary alone(4, 4, 100.0);
  alone.set_positions(torch::tensor({3L, 11L}), x.options(), Pass());
  EXPECT_TRUE(alone.turn(first(x).reshape({2, 8})).equal(first(y).reshape({2, 8})));
}

TEST(Rotary, ScoresDependOnTheDistanceOnly) {
  const auto q = at::randn({1, kSize}, torch::kFloat64), k = at::randn({1, kSize}, torch::kFloat64);
  const auto score = [&](int64_t query_position, int64_t key_position) {
    return (turned(q, {query_position}, 10000.0) * turned(k, {key_position}, 10000.0)).sum().item<double>();
  };
  EXPECT_NEAR(score(7, 3), score(104, 100), 1e-10);
  EXPECT_GT(std::abs(score(7, 3) - score(7, 4)), 1e-6);
}

}  // namespace
}  // namespace normscope
