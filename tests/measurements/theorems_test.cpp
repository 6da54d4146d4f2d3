// The bounds' algebra on numbers made by hand, and when a theorem holds, fails, or does not speak.
#include "measurements/theorems.h"

#include <gtest/gtest.h>

#include <cmath>

namespace normscope {
namespace {

SingularValue exactly(double value) { return {value, value}; }

BoundStep step(int layer, const char* role, double gradient) {
  BoundStep s;
  s.name = std::to_string(layer) + role;
  s.layer = layer;
  s.role = role;
  s.gradient = gradient;
  return s;
}

// Two blocks, four sublayers with singular values 2, 3, 5, 7 and norms 11, 13, 17, 19.
RowChain chain(bool is_post_norm) {
  RowChain row;
  row.is_post_norm = is_post_norm;
  row.last_gradient = 0.5;
  const double branches[] = {2, 3, 5, 7}, norms[] = {11, 13, 17, 19};
  for (int k = 0; k < 4; ++k) {
    auto s = step(k / 2, k % 2 == 0 ? "attention" : "feed_forward", 1);
    s.branch = exactly(branches[k]);
    s.residual = exactly(branches[k] + 0.5);
    s.network = exactly(3);
    if (is_post_norm) {
      s.norm = exactly(norms[k]);
      s.norm_bound = norms[k] + 1;
      s.paper_sigma = 1 / (norms[k] + 2);
      s.valid_sigma = 1 / (norms[k] + 3);
    }
    row.steps.push_back(s);
  }
  return row;
}

// study.md (45) and (61): the norm itself, then every sublayer and norm after it.
TEST(GradientBounds, PostNormMultipliesWhatFollowsTheNorm) {
  const auto ladders = gradient_bounds(chain(true));
  EXPECT_DOUBLE_EQ(ladders[3].t2, 0.5 * 19);
  EXPECT_DOUBLE_EQ(ladders[2].t2, 0.5 * 17 * 7.5 * 19);
  EXPECT_DOUBLE_EQ(ladders[0].t2, 0.5 * 11 * 3.5 * 13 * 5.5 * 17 * 7.5 * 19);
  EXPECT_DOUBLE_EQ(ladders[2].t3, 0.5 * 18 * 8 * 20);
  EXPECT_DOUBLE_EQ(ladders[2].t4, 0.5 * 19 * 8 * 21);
  EXPECT_DOUBLE_EQ(ladders[2].t4_valid, 0.5 * 20 * 8 * 22);
  EXPECT_DOUBLE_EQ(ladders[0].t1, 1.5);
  EXPECT_TRUE(std::isnan(ladders[0].branch_bound));
  EXPECT_FALSE(ladders[0].t4_assumption);
}

// study.md (72) and (81): the norm's own sublayer too, no sigma; the branch has its own singular value instead.
TEST(GradientBounds, PreNormMultipliesItsOwnSublayerToo) {
  const auto ladders = gradient_bounds(chain(false));
  EXPECT_DOUBLE_EQ(ladders[3].t3, 0.5 * 8);
  EXPECT_DOUBLE_EQ(ladders[1].t3, 0.5 * 4 * 6 * 8);
  EXPECT_DOUBLE_EQ(ladders[1].t2, 0.5 * 3.5 * 5.5 * 7.5);
  EXPECT_DOUBLE_EQ(ladders[1].branch_bound, 0.5 * 3 * 5.5 * 7.5);
  EXPECT_DOUBLE_EQ(ladders[3].branch_bound, 0.5 * 7);
  EXPECT_TRUE(std::isnan(ladders[0].t4));
}

TEST(GradientBounds, ParallelSublayersShareOneFactor) {
  auto row = chain(false);
  row.steps[1].shares_input = row.steps[3].shares_input = true;
  const auto ladders = gradient_bounds(row);
  for (const size_t k : {2, 3}) {
    EXPECT_DOUBLE_EQ(ladders[k].t2, 0.5 * 5.5);
    EXPECT_DOUBLE_EQ(ladders[k].t3, 0.5 * (1 + 5 + 7));
  }
  EXPECT_DOUBLE_EQ(ladders[0].t3, 0.5 * (1 + 2 + 3) * (1 + 5 + 7));
  EXPECT_DOUBLE_EQ(ladders[0].branch_bound, 0.5 * 2 * 5.5);
  EXPECT_DOUBLE_EQ(ladders[1].branch_bound, 0.5 * 3 * 5.5);
}

TEST(Theorem2, FailsWhereAGradientExceedsItsBound) {
  auto row = chain(true);
  EXPECT_EQ(check_theorem_2(std::vector{row, row}).verdict, TheoremVerdict::Holds);
  EXPECT_EQ(check_theorem_2(std::vector{row, row}).paper_form, TheoremVerdict::AssumptionNotMet);
  auto broken = row;
  broken.steps[2].gradient = 1.6;  // above T1 = 1.5
  const auto theorem = check_theorem_2(std::vector{row, broken});
  EXPECT_EQ(theorem.verdict, TheoremVerdict::Fails);
  EXPECT_EQ(theorem.norms[2].ordered_rows, 1);
  EXPECT_EQ(theorem.norms[1].verdict, TheoremVerdict::Holds);
  for (auto& s : row.steps) s.is_unit_variance = true;
  EXPECT_EQ(check_theorem_2(std::vector{row}).paper_form, TheoremVerdict::Holds);
  for (auto& s : row.steps) s.paper_sigma = 1e3;
  EXPECT_EQ(check_theorem_2(std::vector{row}).paper_form, TheoremVerdict::Fails);
}

TEST(Theorem3, SpeaksOfPostNormOnlyWhereVariancesAreSmall) {
  auto row = chain(true);
  EXPECT_EQ(check_theorem_3(std::vector{row}).verdict, TheoremVerdict::Holds);
  row.steps[1].largest_variance = 4.5;
  const auto theorem = check_theorem_3(std::vector{row});
  EXPECT_EQ(theorem.verdict, TheoremVerdict::AssumptionNotMet);
  EXPECT_EQ(theorem.norms[0].verdict, TheoremVerdict::AssumptionNotMet);
  EXPECT_EQ(theorem.norms[1].verdict, TheoremVerdict::AssumptionNotMet);
  EXPECT_EQ(theorem.norms[2].verdict, TheoremVerdict::Holds) << "nothing follows the last norm of a role";
  row.steps[1].largest_variance = 0;
  for (auto& s : row.steps) s.paper_sigma = 100;  // no variance of at most 4 gives this: the bound rises with depth
  EXPECT_EQ(check_theorem_3(std::vector{row}).verdict, TheoremVerdict::Fails);
  EXPECT_EQ(check_theorem_3(std::vector{chain(false)}).verdict, TheoremVerdict::Holds);
}

// The bound may fall while the gradients rise; the check says both.
TEST(Theorem3, TellsTheBoundFromTheGradients) {
  auto row = chain(false);
  row.steps[0].gradient = 1;
  row.steps[2].gradient = 2;
  const auto theorem = check_theorem_3(std::vector{row});
  EXPECT_TRUE(theorem.norms[0].bound_falls);
  EXPECT_FALSE(theorem.norms[0].gradient_falls);
  EXPECT_TRUE(theorem.norms[1].gradient_falls);
}

GradientSet gradients(const std::vector<double>& total, const std::vector<double>& logits) {
  GradientSet set;
  set.logits = logits;
  NormGradients norm;
  norm.total = total;
  for (size_t i = 0; i < total.size(); ++i) norm.gain.push_back(total[i] / logits[i]);
  set.norms.push_back(norm);
  return set;
}

TEST(Theorem1, NeedsEqualGains) {
  const auto learning = gradients({4, 4.1, 3.9}, {0.4, 0.41, 0.39});
  const auto same_gain = gradients({0.1, 0.11, 0.09}, {0.01, 0.011, 0.009});
  const auto theorem = check_theorem_1(learning, same_gain, 1);
  EXPECT_EQ(theorem.verdict, TheoremVerdict::Holds);
  EXPECT_NEAR(theorem.loss_ratio.mean, 40, 1e-9);
  EXPECT_NEAR(theorem.norms[0].ratio.mean, 40, 1e-9);
  EXPECT_EQ(check_theorem_1(learning, gradients({0.1, 0.11, 0.09}, {0.1, 0.11, 0.09}), 1).verdict,
            TheoremVerdict::AssumptionNotMet);
  EXPECT_EQ(check_theorem_1(same_gain, learning, 1).verdict, TheoremVerdict::Fails);
}

}  // namespace
}  // namespace normscope
