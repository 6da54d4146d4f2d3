// Packed attention: the kernels against plain operators, numeric gradients, and the algebra of masks.
#include "nn/attention.h"

#include <ATen/ops/randn.h>

#include "nn/dropout.h"
#include "nn/gradient_check.h"

namespace normscope {
namespace {

using torch::Tensor;

struct Case {
  const char* name;
  AttentionPattern pattern;
  int64_t heads = 2, key_value_heads = 2;
  double dropout = 0;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Attention : public testing::TestWithParam<Case> {
 protected:
  Attention() {
    at::manual_seed(1);
    shape.num_heads = GetParam().heads;
    shape.num_key_value_heads = GetParam().key_value_heads;
    shape.pattern = GetParam().pattern;
    shape.dropout = GetParam().dropout;
    shape.scale = 0.4;
    for (const int64_t length : {5, 1, 9, 4}) rows.append(length);
  }

  Pass pass() const {
    Pass p;
    p.rows = rows;
    p.is_training = shape.dropout > 0;
    p.dropout_key = 7;
    return p;
  }

  std::vector<Tensor> inputs(torch::ScalarType dtype = torch::kFloat64) const {
    const int64_t N = rows.tokens(), K = 3;
    return {at::randn({N, shape.num_heads * K}, dtype), at::randn({N, shape.num_key_value_heads * K}, dtype),
            at::randn({N, shape.num_key_value_heads * K}, dtype)};
  }

  AttentionShape shape;
  PackedRows rows;
};

double difference(const Tensor& a, const Tensor& b) { return (a - b).abs().max().item<double>(); }

TEST_P(Attention, KernelEqualsPlainOperators) {
  auto fast = inputs(), plain = fast;
  for (auto* set : {&fast, &plain})
    for (auto& x : *set) x = x.clone().requires_grad_();
  auto p = pass(), q = pass();
  const auto a = attend(fast[0], fast[1], fast[2], shape, p),
             b = attend_plainly(plain[0], plain[1], plain[2], shape, q);
  EXPECT_LT(difference(a, b), 1e-12);
  const auto weights = at::randn(a.sizes(), a.options());
  (a * weights).sum().backward();
  (b * weights).sum().backward();
  for (size_t i = 0; i < 3; ++i) EXPECT_LT(difference(fast[i].grad(), plain[i].grad()), 1e-12) << i;
}

TEST_P(Attention, FloatKernelIsCloseToDouble) {
  const auto x = inputs();
  auto p = pass(), q = pass();
  const auto exact = attend(x[0], x[1], x[2], shape, p);
  const auto rounded = attend(x[0].to(torch::kFloat32), x[1].to(torch::kFloat32), x[2].to(torch::kFloat32), shape, q);
  EXPECT_LT(difference(exact, rounded.to(torch::kFloat64)), 2e-6);
}

TEST_P(Attention, GradientsAreNumericallyRight) {
  expect_gradients(
      [&](const std::vector<Tensor>& x) {
        auto p = pass();
        return attend(x[0], x[1], x[2], shape, p);
      },
      inputs());
}

TEST_P(Attention, RowsDoNotSeeEachOther) {
  if (shape.dropout > 0) GTEST_SKIP() << "a dropped row draws by its place in the batch";
  const auto x = inputs();
  auto p = pass();
  const auto together = attend(x[0], x[1], x[2], shape, p);
  for (int64_t row = 0; row < rows.count(); ++row) {
    Pass alone;
    alone.rows.append(rows.length(row));
    const auto part = [&](const Tensor& t) { return t.narrow(0, rows.offsets[row], rows.length(row)); };
    EXPECT_LT(difference(attend(part(x[0]), part(x[1]), part(x[2]), shape, alone), part(together)), 1e-13);
  }
}

INSTANTIATE_TEST_SUITE_P(Patterns, Attention,
                         testing::Values(Case{"full", {}}, Case{"causal", {.causal = true}},
                                         Case{"causal_window", {.causal = true, .window = 3}},
                                         Case{"window", {.window = 2}},
                                         Case{"window_with_global_first", {.window = 1, .first_is_global = true}},
                                         Case{"grouped", {.causal = true}, 4, 2}, Case{"dropout", {}, 2, 2, 0.3},
                                         Case{"causal_dropout_grouped", {.causal = true}, 4, 1, 0.2}),
                         [](const auto& info) { return info.param.name; });

TEST(CausalAttention, HidesTheFuture) {
  AttentionShape shape;
  shape.pattern.causal = true;
  Pass pass;
  pass.rows.append(6);
  auto x = at::randn({6, 4}, torch::kFloat64);
  const auto before = attend(x, x, x, shape, pass);
  auto changed = x.clone();
  changed[4] += 1;
  const auto after = attend(changed, changed, changed, shape, pass);
  EXPECT_EQ(difference(before.narrow(0, 0, 4), after.narrow(0, 0, 4)), 0);
  EXPECT_GT(difference(before[4], after[4]), 0);
}

TEST(Dropout, KernelEqualsPlainMaskAndKeepsTheMean) {
  const auto x = at::ones({300, 41}, torch::kFloat64);
  Pass pass;
  pass.is_training = true;
  pass.dropout_key = 3;
  const auto dropped = dropout(x, 0.3, pass);
  Pass again;
  again.dropout_key = 3;
  const auto mask = dropout_mask(x.sizes(), dropout_of(0.3, again.next_dropout_key()), x.options());
  EXPECT_EQ(difference(dropped, mask), 0);
  EXPECT_NEAR(dropped.mean().item<double>(), 1, 0.02);  // 3.4 standard errors of 12,300 draws
  EXPECT_FALSE(torch::equal(dropout(x, 0.3, pass), dropped)) << "the next dropout of a pass draws anew";
}

TEST(Dropout, IsTheSameInBackward) {
  auto x = at::randn({20, 7}, torch::kFloat64).requires_grad_();
  Pass pass;
  pass.is_training = true;
  const auto y = dropout(x, 0.5, pass);
  y.sum().backward();
  EXPECT_EQ(difference(x.grad() * x, y), 0);
}

// Who asks alone sees every key of its row: attention whose queries are all the same asks the same.
TEST(AttendOnce, EqualsTheFullAttentionOfThatQuery) {
  PackedRows rows;
  for (const int64_t length : {4, 1, 7}) rows.append(length);
  AttentionShape shape;
  shape.num_heads = shape.num_key_value_heads = 2;
  shape.scale = 0.3;
  auto full = at::randn({rows.tokens(), 6}, torch::kFloat64).requires_grad_();
  const auto key = at::randn({rows.tokens(), 6}, torch::kFloat64),
             value = at::randn({rows.tokens(), 6}, torch::kFloat64);
  const auto first = torch::tensor(std::vector<int64_t>{0, 4, 5});
  Pass pass;
  pass.rows = rows;
  const auto once = attend_once(full.index_select(0, first), key, value, shape, pass);
  const auto expected = attend(full, key, value, shape, pass).index_select(0, first);
  EXPECT_LT(difference(once, expected), 1e-12);
  expect_gradients([&](const std::vector<Tensor>& in) { return attend_once(in[0], in[1], in[2], shape, pass); },
                   {at::randn({3, 6}), at::randn({12, 6}), at::randn({12, 6})}, 1e-6);
}

}  // namespace
}  // namespace normscope
