// SGD and Muon step by step against torch and the published rule (tests/reference/optimizers.py).
#include "training/optimizer.h"

#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/linalg_svdvals.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "models/model.h"
#include "training/muon.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;
using torch::Tensor;

Tensor matrix(const nlohmann::json& rows) {
  std::vector<double> values;
  for (const auto& row : rows)
    for (const auto& value : row) values.push_back(value.get<double>());
  return torch::tensor(values, torch::kFloat64).view({static_cast<int64_t>(rows.size()), -1});
}

const nlohmann::json& fixture() {
  static const auto json =
      nlohmann::json::parse(read_file(fs::path(NORMSCOPE_FIXTURES) / "optimizers.json", ErrorKind::Data));
  return json;
}

// Largest difference from the expected values over all steps and cases.
double deviation(const OptimizerOptions& options, const std::string& expected, torch::ScalarType dtype) {
  double largest = 0;
  for (const auto& c : fixture().at("cases")) {
    ParameterSet parameters;
    auto p = std::make_shared<Parameter>();
    p->name = "p";
    p->value = matrix(c.at("start")).to(dtype).requires_grad_();
    p->is_matrix = true;
    parameters.add(p);
    FlatParameters flat(parameters);
    const auto optimizer = make_optimizer(options, flat);
    for (size_t step = 0; step < c.at("gradients").size(); ++step) {
      flat.gradients().narrow(0, 0, p->value.numel()).copy_(2 * matrix(c.at("gradients")[step]).view(-1));
      optimizer->step(fixture().at("learning_rate"), 0.5);  // twice the gradient, half the scale
      const auto difference = (p->value.detach().to(torch::kFloat64) - matrix(c.at(expected)[step])).abs().max();
      largest = std::max(largest, difference.item<double>());
    }
  }
  return largest;
}

OptimizerOptions of_kind(const std::string& kind) {
  OptimizerOptions options;
  options.kind = kind;
  options.weight_decay = fixture().at("weight_decay");
  return options;
}

TEST(Sgd, EqualsTorchStepByStep) {
  auto options = of_kind("sgd");
  EXPECT_LT(deviation(options, "sgd", torch::kFloat64), 1e-14);
  options.momentum = 0.9;
  EXPECT_LT(deviation(options, "sgd_momentum", torch::kFloat64), 1e-14);
  EXPECT_GT(deviation(options, "sgd", torch::kFloat64), 1e-3);
}

TEST(Muon, EqualsItsRuleStepByStep) {
  EXPECT_LT(deviation(of_kind("muon"), "muon", torch::kFloat64), 1e-12);
  EXPECT_LT(deviation(of_kind("muon"), "muon", torch::kFloat32), 1e-4);
  auto other = of_kind("muon");
  other.momentum = 0.9;
  EXPECT_GT(deviation(other, "muon", torch::kFloat64), 1e-4);
}

// torch takes the Newton-Schulz steps in bfloat16, which has three digits.
TEST(Muon, IsTorchsUpToItsBfloat16) {
  const double step = 0.02 * 0.2 * std::sqrt(10.0);
  EXPECT_LT(deviation(of_kind("muon"), "torch_muon", torch::kFloat64), 0.1 * step);
}

TEST(Muon, UpdatesAreNearlyOrthogonal) {
  for (const auto& shape : {std::vector<int64_t>{8, 8}, {5, 20}, {20, 5}}) {
    const auto x = at::randn(shape, torch::kFloat64);
    const auto singular = at::linalg_svdvals(nearly_orthogonal(x));
    EXPECT_GT(singular.min().item<double>(), 0.3);
    EXPECT_LT(singular.max().item<double>(), 1.3);
    // Turning x turns its update: what Muon does depends on the map, not on its axes.
    const auto turn = std::get<0>(at::linalg_svd(at::randn({shape[0], shape[0]}, torch::kFloat64)));
    EXPECT_LT((nearly_orthogonal(turn.mm(x)) - turn.mm(nearly_orthogonal(x))).abs().max().item<double>(), 1e-10);
  }
}

// Everything that is no matrix between hidden states moves as under AdamW.
TEST(Muon, LeavesTablesVectorsAndHeadsToAdamW) {
  ModelOptions options;
  options.load.dtype = torch::kFloat64;
  options.build.num_labels = 5;
  const auto open = [&](const char* name) {
    return load_model(open_checkpoint((fs::path(NORMSCOPE_FIXTURES) / "models" / name).string()), options);
  };
  for (const auto* name : {"bert", "gpt2", "deberta", "qwen2"}) {
    const auto a = open(name), b = open(name);
    FlatParameters flat_a(a.parameters), flat_b(b.parameters);
    OptimizerOptions adamw, muon;
    muon.kind = "muon";
    const auto first = make_optimizer(adamw, flat_a), second = make_optimizer(muon, flat_b);
    for (int step = 0; step < 3; ++step) {
      const auto gradient = at::randn(flat_a.gradients().sizes(), torch::kFloat64);
      flat_a.gradients().copy_(gradient);
      flat_b.gradients().copy_(gradient);
      first->step(1e-3, 1);
      second->step(1e-3, 1);
    }
    for (size_t i = 0; i < a.parameters.all().size(); ++i) {
      const auto& p = a.parameters.all()[i];
      const auto& parameter_name = p->name;
      // A table that is read by row is an embedding whatever holds it; the head is what a checkpoint may lack.
      const bool is_embedding = parameter_name.find("embed") != std::string::npos ||
                                parameter_name.find("wte") != std::string::npos ||
                                parameter_name.find("wpe") != std::string::npos;
      const bool is_head = parameter_name.find("classifier") != std::string::npos ||
                           parameter_name.find("pooler") != std::string::npos ||
                           parameter_name.find("score") != std::string::npos;
      const bool is_matrix = p->value.dim() == 2 && !is_embedding && !is_head;
      EXPECT_EQ(torch::equal(p->value, b.parameters.all()[i]->value), !is_matrix) << name << " " << parameter_name;
    }
  }
}

TEST(Optimizer, UnknownNamesAreRefused) {
  ParameterSet parameters;
  auto p = std::make_shared<Parameter>();
  p->value = torch::zeros({2}).requires_grad_();
  parameters.add(p);
  FlatParameters flat(parameters);
  OptimizerOptions options;
  options.kind = "adam";
  EXPECT_THROW(make_optimizer(options, flat), Error);
}

}  // namespace
}  // namespace normscope
