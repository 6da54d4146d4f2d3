// Norm Jacobians against autograd, singular values against the exact Jacobians' own, and theorem 2's order.
#include "probes/bound_probe.h"

#include <ATen/ops/linalg_svdvals.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/stack.h>
#include <torch/csrc/autograd/autograd.h>

#include "models/edited_checkpoint.h"
#include "probes/norm_jacobian.h"

namespace normscope {
namespace {

using torch::Tensor;

Tensor random(torch::IntArrayRef shape, uint64_t seed) {
  auto x = at::empty(shape, torch::kFloat64);
  RandomStream stream(seed, "test");
  for (int64_t i = 0; i < x.numel(); ++i) x.data_ptr<double>()[i] = stream.normal();
  return x;
}

// d f / d x as a matrix, by central differences.
Tensor numeric_jacobian(const std::function<Tensor(const Tensor&)>& f, const Tensor& x) {
  torch::NoGradGuard no_grad;
  std::vector<Tensor> columns;
  constexpr double kStep = 1e-5;
  for (int64_t i = 0; i < x.numel(); ++i) {
    auto by = at::zeros_like(x);
    by.view(-1)[i] = kStep;
    columns.push_back(((f(x + by) - f(x - by)) / (2 * kStep)).reshape(-1));
  }
  return at::stack(columns, 1);
}

double largest(const Tensor& matrix) { return at::linalg_svdvals(matrix)[0].item<double>(); }

TEST(NormJacobian, EqualsTheNormsOwnDerivative) {
  for (const auto kind : {NormKind::LayerNorm, NormKind::RMSNorm})
    for (const bool is_affine : {true, false}) {
      const auto weight = std::make_shared<Parameter>("w", random({7}, 1)),
                 bias = std::make_shared<Parameter>("b", random({7}, 2));
      const bool has_bias = is_affine && kind == NormKind::LayerNorm;
      const Norm norm({"norm"}, kind, is_affine ? weight : nullptr, has_bias ? bias : nullptr, 7, 1e-3);
      const auto x = random({3, 7}, 3);
      const auto matrix = numeric_jacobian(
          [&](const Tensor& at) {
            Pass pass;
            return norm(at, pass);
          },
          x);
      const auto state = norm_state(norm, x);
      const auto v = random({3, 7}, 4), u = random({3, 7}, 5);
      EXPECT_LT(largest_difference(jacobian_product(state, v).view(-1), matrix.matmul(v.view(-1))), 1e-8);
      EXPECT_LT(largest_difference(transposed_jacobian_product(state, u).view(-1), matrix.t().matmul(u.view(-1))),
                1e-8);
      const double bound = state.largest_weight() / state.sigma.min().item<double>();
      EXPECT_LE(largest(matrix), bound * (1 + 1e-8));
      if (!is_affine) {
        EXPECT_NEAR(largest(matrix), bound, 1e-6 * bound) << "1 / sigma is attained without w";
      }
    }
}

PackedRows packed(const std::vector<int64_t>& lengths) {
  PackedRows rows;
  for (const auto length : lengths) rows.append(length);
  return rows;
}

TEST(SingularValues, EveryRowHasItsOwn) {
  const auto rows = packed({2, 1, 4});
  const Segments segments(rows, torch::kFloat64);
  std::vector<Tensor> blocks;
  for (int64_t i = 0; i < 3; ++i)
    blocks.push_back(random({rows.length(i) * 6, rows.length(i) * 6}, 10 + static_cast<uint64_t>(i)));
  const auto apply = [&](const Tensor& v, bool transposed) {
    std::vector<Tensor> parts;
    for (int64_t i = 0; i < 3; ++i) {
      const auto part = v.narrow(0, rows.offsets[static_cast<size_t>(i)], rows.length(i)).reshape(-1);
      parts.push_back((transposed ? blocks[static_cast<size_t>(i)].t() : blocks[static_cast<size_t>(i)])
                          .matmul(part)
                          .view({rows.length(i), 6}));
    }
    return at::cat(parts);
  };
  const LinearMap map{[&](const Tensor& v) { return apply(v, false); },
                      [&](const Tensor& u) { return apply(u, true); }};
  const auto found = largest_singular_values(map, {7, 6}, segments, {});
  for (size_t i = 0; i < 3; ++i) {
    const double exact = largest(blocks[i]);
    EXPECT_LE(found[i].value, exact * (1 + 1e-12));
    EXPECT_NEAR(found[i].value, exact, 1e-4 * exact);
    EXPECT_GE(found[i].upper * (1 + 1e-4), exact);
  }
}

TEST(SingularValues, AMapOfEqualValuesAndAMapOfNothing) {
  const auto rows = packed({3});
  const Segments segments(rows, torch::kFloat64);
  const auto times = [](double factor) {
    return LinearMap{[=](const Tensor& v) { return factor * v; }, [=](const Tensor& v) { return factor * v; }};
  };
  EXPECT_NEAR(largest_singular_values(times(2.5), {3, 4}, segments, {})[0].upper, 2.5, 1e-9);
  EXPECT_EQ(largest_singular_values(times(0), {3, 4}, segments, {})[0].upper, 0);
}

TEST(Jacobian, ProductsAreThoseOfTheMatrix) {
  const auto a = random({5, 5}, 20), x = random({4, 5}, 21).requires_grad_();
  const auto f = [&](const Tensor& at) { return at.matmul(a).softmax(-1).matmul(a.t()).tanh() + at; };
  const auto map = jacobian(f(x), x);
  const auto matrix = numeric_jacobian(f, x.detach());
  const auto v = random({4, 5}, 22);
  EXPECT_LT(largest_difference(map.product(v).view(-1), matrix.matmul(v.view(-1))), 1e-8);
  EXPECT_LT(largest_difference(map.transposed_product(v).view(-1), matrix.t().matmul(v.view(-1))), 1e-8);
}

struct Case {
  std::string fixture;
  Placement placement;
  bool is_random, is_removed;
};

Model load(const Case& c) {
  auto options = exact_options();
  options.build.placement = c.placement;
  options.load.random_start = c.is_random;
  options.load.init_seed = 3;
  auto model = load_model(open_checkpoint(model_fixture(c.fixture).string()), options);
  if (c.is_removed)
    for (const auto& norm : model.norms) norm->remove_affine(model.parameters);
  return model;
}

class Bounds : public testing::TestWithParam<Case> {};

const std::vector<std::vector<int64_t>> kRows = {{5, 6, 7, 8}, {9}, {10, 11, 12, 13, 14, 15}};
const std::vector<int> kLabels = {0, 3, 1};

std::vector<RowChain> chains_of(const Model& model) {
  TokenRows rows;
  rows.input_ids = kRows;
  return probe_bounds(model, rows, std::vector<int64_t>{0, 1, 2}, kLabels, {}, {}, [](double) {});
}

TEST_P(Bounds, EveryLevelIsAboveTheOneBefore) {
  const auto model = load(GetParam());
  const bool is_post = GetParam().placement == Placement::PostNorm;
  for (const auto& chain : chains_of(model)) {
    EXPECT_EQ(chain.is_post_norm, is_post);
    EXPECT_EQ(chain.steps.size(), 2 * static_cast<size_t>(model.network.num_hidden_layers));
    const auto ladders = gradient_bounds(chain);
    for (size_t k = 0; k < ladders.size(); ++k) {
      const auto& l = ladders[k];
      EXPECT_GT(l.t0, 0);
      EXPECT_LE(l.t0, l.t1_upper * (1 + 1e-9));
      EXPECT_LE(l.t1, l.t2_upper * (1 + 1e-9));
      EXPECT_LE(l.t2, l.t3_upper * (1 + 1e-9));
      if (is_post) {
        EXPECT_LE(l.t3, l.t4_valid * (1 + 1e-9));
      } else {
        EXPECT_GT(l.branch, 0);
        EXPECT_LE(l.branch, l.branch_bound * (1 + 1e-9));
      }
      // The paper's form takes for granted that x left a norm without w and b; GPT-2 has none below its first block.
      const bool is_unit = is_post && GetParam().is_removed && (GetParam().fixture == "bert" || k > 0);
      EXPECT_EQ(l.t4_assumption, is_unit);
      if (is_unit) {
        EXPECT_LE(l.t3, l.t4 * (1 + 1e-4));
      }
      EXPECT_TRUE(is_ordered(l));
    }
  }
}

// Puts the first block's input (or what its attention norm reads) somewhere else and keeps what the block makes of it.
struct Probe : Observer {
  bool at_norm_input = false;
  Tensor in, first_input, sublayer, last;
  int depth = 0;
  Tensor hidden_states(int at, const Tensor& x) override {
    depth = at;
    last = x;
    return at == 0 && !at_norm_input ? (in.defined() ? in : first_input = x) : x;
  }
  Tensor norm_input(const NormSite& site, const Tensor& x) override {
    if (depth != 0 || site.layer != 0) return x;
    if (site.role == NormRole::Attention && at_norm_input) return in.defined() ? in : first_input = x;
    return x;
  }
  Tensor sublayer_output(const NormSite& site, const Tensor& y) override {
    if (depth == 0 && site.role == NormRole::Attention) sublayer = y;
    return y;
  }
};

// The first step's singular values, from Jacobians made of forward passes alone.
TEST_P(Bounds, SingularValuesAreTheExactJacobians) {
  const auto model = load(GetParam());
  const auto step = chains_of(model)[0].steps[0];
  const bool is_post = GetParam().placement == Placement::PostNorm;
  const auto rows = rows_of({kRows[0]});
  torch::NoGradGuard no_grad;
  const auto exact = [&](bool at_norm_input, Tensor Probe::*out) {
    Probe start;
    start.at_norm_input = at_norm_input;
    logits_of(model, rows, &start);
    return largest(numeric_jacobian(
        [&](const Tensor& x) {
          Probe probe;
          probe.at_norm_input = at_norm_input;
          probe.in = x;
          logits_of(model, rows, &probe);
          return probe.*out;
        },
        start.first_input));
  };
  const auto expect = [](const SingularValue& found, double expected) {
    EXPECT_LE(found.value, expected * (1 + 1e-6));
    EXPECT_NEAR(found.value, expected, 1e-4 * expected);
    EXPECT_GE(found.upper, expected * (1 - 1e-4));
  };
  expect(step.network, exact(is_post, &Probe::last));
  // Pre-LN: the attention norm's own input is the block's; its Jacobian lies inside the branch.
  expect(step.branch, exact(false, &Probe::sublayer));
  if (GetParam().fixture != "gpt_neox") {
    Probe start;
    logits_of(model, rows, &start);
    const auto matrix = numeric_jacobian(
        [&](const Tensor& x) {
          Probe probe;
          probe.in = x;
          logits_of(model, rows, &probe);
          return x + probe.sublayer;
        },
        start.first_input);
    expect(step.residual, largest(matrix));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Bounds,
    testing::Values(Case{"bert", Placement::PostNorm, false, false}, Case{"bert", Placement::PostNorm, false, true},
                    Case{"bert", Placement::PreNorm, true, false}, Case{"gpt2", Placement::PreNorm, false, false},
                    Case{"gpt2", Placement::PostNorm, true, true}, Case{"qwen2", Placement::PreNorm, false, false},
                    Case{"qwen2", Placement::PostNorm, true, false}, Case{"gpt_neox", Placement::PreNorm, false, false},
                    Case{"deberta", Placement::PostNorm, false, false}),
    [](const auto& info) {
      const auto& c = info.param;
      return c.fixture + (c.placement == Placement::PostNorm ? "_post" : "_pre") + (c.is_random ? "_random" : "") +
             (c.is_removed ? "_removed" : "");
    });

}  // namespace
}  // namespace normscope
