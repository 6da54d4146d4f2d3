// Drift of norms that are moved by hand, and none where a parameter is gone.
#include "experiments/norm_drift.h"

#include <gtest/gtest.h>

#include <cmath>

namespace normscope {
namespace {

TEST(NormDrift, IsRelativeForWeightsAndAbsoluteForBiases) {
  auto model = load_model(open_checkpoint(NORMSCOPE_FIXTURES "/models/bert"), {});
  const NormDrift drift(model);
  for (const auto& reading : drift.readings(model)) EXPECT_EQ(reading.value, 0) << reading.metric;
  const size_t all = drift.readings(model).size();
  EXPECT_EQ(all, 2 * model.norms.size());

  torch::NoGradGuard no_grad;
  const auto& moved = *model.norms[1];
  moved.weight()->value.mul_(1.25);  // |0.25 w0| / |w0|
  moved.bias()->value.add_(0.5);     // 0.5 in each of `size` places
  model.norms[2]->remove_affine(model.parameters);
  const auto readings = drift.readings(model);
  EXPECT_EQ(readings.size(), all - 2);
  for (const auto& reading : readings) {
    const bool is_moved = reading.layer == moved.site().layer && reading.role == role_name(moved.site().role);
    const double expected = !is_moved                          ? 0
                            : reading.metric == "weight_drift" ? 0.25
                                                               : 0.5 * std::sqrt(static_cast<double>(moved.size()));
    EXPECT_NEAR(reading.value, expected, 1e-6) << reading.metric;
    EXPECT_EQ(reading.split, "train");
  }
}

}  // namespace
}  // namespace normscope
