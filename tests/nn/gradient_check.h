// Numeric differentiation in float64: the one helper that checks every differentiable piece.
#pragma once
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <functional>
#include <vector>

namespace normscope {

// Compares autograd's gradient of sum(f(inputs) * fixed weights) with central differences at every element.
inline void expect_gradients(const std::function<torch::Tensor(const std::vector<torch::Tensor>&)>& f,
                             std::vector<torch::Tensor> inputs, double tolerance = 1e-7) {
  for (auto& input : inputs) input = input.to(torch::kFloat64).detach().requires_grad_();
  const auto weights = at::randn(f(inputs).sizes(), torch::kFloat64);
  (f(inputs) * weights).sum().backward();
  torch::NoGradGuard no_grad;
  constexpr double kStep = 1e-5;  // balances the h^2 error of the difference against rounding
  for (size_t k = 0; k < inputs.size(); ++k) {
    auto flat = inputs[k].view(-1);
    const auto gradient = inputs[k].grad().contiguous().view(-1);
    for (int64_t i = 0; i < flat.numel(); ++i) {
      const double x = flat[i].item<double>();
      const auto value_at = [&](double shifted) {
        flat[i].fill_(shifted);
        return (f(inputs) * weights).sum().item<double>();
      };
      const double numeric = (value_at(x + kStep) - value_at(x - kStep)) / (2 * kStep);
      flat[i].fill_(x);
      ASSERT_NEAR(gradient[i].item<double>(), numeric, tolerance * std::max(1.0, std::abs(numeric)))
          << "input " << k << ", element " << i;
    }
  }
}

}  // namespace normscope
