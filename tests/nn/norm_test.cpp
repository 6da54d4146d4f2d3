// Norms: their algebra, and removal that is for good.
#include "nn/norm.h"

#include <ATen/ops/randn.h>

#include "nn/embedding.h"
#include "nn/gradient_check.h"

namespace normscope {
namespace {

using torch::Tensor;

ParameterPtr parameter(const std::string& name, Tensor value) {
  auto p = std::make_shared<Parameter>();
  p->name = name;
  p->value = value.to(torch::kFloat64).requires_grad_();
  return p;
}

Norm layer_norm(ParameterPtr w, ParameterPtr b) {
  return {{"n", 0, NormRole::Attention}, NormKind::LayerNorm, w, b, 6, 1e-12};
}

Tensor apply(const Norm& norm, const Tensor& x) {
  Pass pass;
  return norm(x, pass);
}

// A norm of a model: its w and b are among the model's parameters.
struct NormOfModel {
  NormOfModel(const Tensor& weight, const Tensor& bias)
      : w(parameter("n.weight", weight)), b(parameter("n.bias", bias)), norm(layer_norm(w, b)) {
    parameters.add(w);
    parameters.add(b);
  }
  ParameterSet parameters;
  ParameterPtr w, b;
  Norm norm;
};

double difference(const Tensor& a, const Tensor& b) { return (a - b).abs().max().item<double>(); }

TEST(Norm, WithoutAffineHasMeanZeroAndVarianceOneAndIgnoresScaleAndShift) {
  const auto norm = layer_norm(nullptr, nullptr);
  const auto x = at::randn({5, 6}, torch::kFloat64), y = apply(norm, x);
  EXPECT_LT(y.mean(-1).abs().max().item<double>(), 1e-12);
  EXPECT_LT(difference(y.square().mean(-1), torch::ones({5}, torch::kFloat64)), 1e-9);
  EXPECT_LT(difference(apply(norm, 3 * x + 2), y), 1e-9);
}

TEST(Norm, RemovedEqualsOneAndZero) {
  NormOfModel m(torch::ones({6}), torch::zeros({6}));
  const auto x = at::randn({4, 6}, torch::kFloat64);
  const auto before = apply(m.norm, x);
  m.norm.remove_affine(m.parameters);
  EXPECT_EQ(difference(apply(m.norm, x), before), 0);
  EXPECT_FALSE(m.norm.affine());
  EXPECT_TRUE(m.parameters.all().empty()) << "a removed parameter leaves the model";
}

TEST(Norm, FrozenKeepsItsFunctionAndLearnsNothing) {
  NormOfModel m(at::randn({6}), at::randn({6}));
  const auto x = at::randn({4, 6}, torch::kFloat64).requires_grad_();
  const auto before = apply(m.norm, x);
  m.norm.freeze(m.parameters);
  const auto after = apply(m.norm, x);
  EXPECT_EQ(difference(after, before), 0);
  after.sum().backward();
  EXPECT_TRUE(m.norm.affine());
  EXPECT_FALSE(m.w->value.grad().defined());
  EXPECT_TRUE(x.grad().defined());
  EXPECT_TRUE(m.parameters.all().empty());
}

TEST(Norm, ResetStartsWhereRemovalDoesAndLearns) {
  NormOfModel m(at::randn({6}), at::randn({6}));
  m.norm.reset();
  const auto x = at::randn({4, 6}, torch::kFloat64);
  const auto y = apply(m.norm, x);
  EXPECT_EQ(difference(y, apply(layer_norm(nullptr, nullptr), x)), 0);
  y.square().sum().backward();
  EXPECT_TRUE(m.w->value.grad().defined() && m.b->value.grad().defined());
  EXPECT_EQ(m.parameters.all().size(), 2u);
}

TEST(Norm, LosesItsScaleOrItsShiftAlone) {
  const auto x = at::randn({4, 6}, torch::kFloat64);
  const auto plain = apply(layer_norm(nullptr, nullptr), x);
  NormOfModel scaled(at::randn({6}), at::randn({6})), shifted(at::randn({6}), at::randn({6}));
  scaled.norm.remove_bias(scaled.parameters);
  shifted.norm.remove_weight(shifted.parameters);
  EXPECT_LT(difference(apply(scaled.norm, x), scaled.w->value * plain), 1e-14);
  EXPECT_LT(difference(apply(shifted.norm, x), plain + shifted.b->value), 1e-14);
  EXPECT_EQ(scaled.parameters.all(), std::vector<ParameterPtr>{scaled.w});
  EXPECT_EQ(shifted.parameters.all(), std::vector<ParameterPtr>{shifted.b});
}

TEST(Norm, InterpolatesBetweenItsValuesAndOneAndZero) {
  const auto w = at::randn({6}).to(torch::kFloat64), b = at::randn({6}).to(torch::kFloat64);
  NormOfModel none(w, b), third(w, b), whole(w, b);
  none.norm.interpolate(0);
  third.norm.interpolate(1.0 / 3);
  whole.norm.interpolate(1);
  EXPECT_EQ(difference(none.w->value, w), 0);
  EXPECT_EQ(difference(none.b->value, b), 0);
  EXPECT_LT(difference(third.w->value, w + (1 - w) / 3), 1e-15);
  EXPECT_LT(difference(third.b->value, b - b / 3), 1e-15);
  EXPECT_EQ(difference(whole.w->value, torch::ones({6}, torch::kFloat64)), 0);
  EXPECT_EQ(difference(whole.b->value, torch::zeros({6}, torch::kFloat64)), 0);
}

TEST(Norm, RmsNormOfCentredRowsIsLayerNormWithoutShift) {
  NormOfModel rms(at::randn({6}), at::randn({6})), layer(rms.w->value.detach(), at::randn({6}));
  rms.norm.replace(NormKind::RMSNorm, rms.parameters);
  layer.norm.remove_bias(layer.parameters);
  EXPECT_EQ(rms.parameters.all(), std::vector<ParameterPtr>{rms.w}) << "w stays, b goes";
  auto x = at::randn({4, 6}, torch::kFloat64);
  EXPECT_GT(difference(apply(rms.norm, x), apply(layer.norm, x)), 1e-3);
  x = x - x.mean(-1, true);
  EXPECT_LT(difference(apply(rms.norm, x), apply(layer.norm, x)), 1e-14);
  rms.norm.replace(NormKind::LayerNorm, rms.parameters);
  EXPECT_LT(difference(apply(rms.norm, x), apply(layer.norm, x)), 1e-14) << "the new b is zero";
  EXPECT_EQ(rms.parameters.all().size(), 2u);
}

TEST(Norm, TanhAndIdentityAreWhatTheySay) {
  NormOfModel m(at::randn({6}), at::randn({6}));
  const auto x = at::randn({4, 6}, torch::kFloat64);
  m.norm.replace(NormKind::Tanh, m.parameters);
  EXPECT_LT(difference(apply(m.norm, x), m.w->value * (0.5 * x).tanh() + m.b->value), 1e-15);
  EXPECT_NE(m.parameters.find("n.alpha"), nullptr);
  m.norm.replace(NormKind::Identity, m.parameters);
  EXPECT_EQ(difference(apply(m.norm, x), x), 0);
  EXPECT_TRUE(m.parameters.all().empty());
}

TEST(Norm, GradientsOfPartsAndReplacementsAreNumericallyRight) {
  for (const auto kind : {NormKind::LayerNorm, NormKind::RMSNorm, NormKind::Tanh})
    for (const bool has_weight : {true, false})
      for (const bool has_bias : {true, false}) {
        expect_gradients(
            [&](const std::vector<Tensor>& in) {
              NormParts parts{kind, std::make_shared<Parameter>(), std::make_shared<Parameter>(),
                              std::make_shared<Parameter>()};
              parts.weight->value = in[1];
              parts.bias->value = in[2];
              parts.slope->value = in[3];
              if (!has_weight) parts.weight = nullptr;
              if (!has_bias) parts.bias = nullptr;
              Norm norm({"n", 0, NormRole::Final}, kind, nullptr, nullptr, 6, 1e-5);
              norm.set_parts(parts);
              return apply(norm, in[0]) + 0 * (in[1] + in[2] + in[3]);  // every input has a gradient
            },
            {at::randn({3, 6}), at::randn({6}), at::randn({6}), at::randn({1})}, 1e-6);
      }
}

TEST(Norm, GradientsAreNumericallyRight) {
  for (const auto kind : {NormKind::LayerNorm, NormKind::RMSNorm}) {
    expect_gradients(
        [&](const std::vector<Tensor>& in) {
          auto w = std::make_shared<Parameter>(), b = std::make_shared<Parameter>();
          w->value = in[1];
          b->value = in[2];
          const Norm norm({"n", 0, NormRole::Final}, kind, w, kind == NormKind::LayerNorm ? b : nullptr, 6, 1e-5);
          const auto y = apply(norm, in[0]);
          return kind == NormKind::LayerNorm ? y : y + in[2];
        },
        {at::randn({3, 6}), at::randn({6}), at::randn({6})}, 1e-6);
  }
}

TEST(Embedding, SparseGradientEqualsDense) {
  const auto table = parameter("words", at::randn({9, 4}));
  const auto ids = torch::tensor({3, 1, 3, 8, 3}, torch::kInt64);
  const auto weights = at::randn({5, 4}, torch::kFloat64);
  (look_up(table, ids) * weights).sum().backward();
  const auto dense = table->value.grad().clone();
  table->row_gradient = torch::zeros({9, 4}, torch::kFloat64);
  table->touched = std::make_shared<std::vector<uint8_t>>(9);
  (look_up(table, ids) * weights).sum().backward();
  EXPECT_EQ(difference(dense, table->row_gradient), 0);
  EXPECT_EQ(*table->touched, (std::vector<uint8_t>{0, 1, 0, 1, 0, 0, 0, 0, 1}));
}

}  // namespace
}  // namespace normscope
