#include "training/muon.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/mm.h>

#include <algorithm>
#include <cmath>

namespace normscope {

torch::Tensor nearly_orthogonal(const torch::Tensor& x) {
  constexpr double kA = 3.4445, kB = -4.7750, kC = 2.0315, kSmallest = 1e-7;
  constexpr int kSteps = 5;
  const bool is_tall = x.size(0) > x.size(1);
  auto y = is_tall ? x.t() : x;
  y = y / y.norm().clamp_min(kSmallest);
  for (int step = 0; step < kSteps; ++step) {
    const auto gram = at::mm(y, y.t());
    y = at::addmm(y, at::addmm(gram, gram, gram, kB, kC), y, kA);
  }
  return is_tall ? y.t() : y;
}

Muon::Muon(const OptimizerOptions& options, FlatParameters& parameters)
    : options_(options),
      parameters_(parameters),
      momentum_(options.momentum.value_or(0.95)),
      others_(options, parameters, /*skips_matrices=*/true) {}

void Muon::step(double learning_rate, double gradient_scale) {
  torch::NoGradGuard no_grad;
  others_.steps = steps++;
  others_.step(learning_rate, gradient_scale);
  const auto momenta = others_.state()[0].second;
  for (const auto& [parameter, begin, count] : parameters_.places()) {
    if (!parameter->is_matrix) continue;
    const auto shape = parameter->value.sizes();
    const auto part = [&, begin = begin, count = count](const torch::Tensor& flat) {
      return flat.narrow(0, begin, count).view(shape);
    };
    const auto gradient = part(parameters_.gradients()) * gradient_scale;
    auto momentum = part(momenta), value = part(parameters_.values());
    momentum.lerp_(gradient, 1 - momentum_);
    const auto update = nearly_orthogonal(gradient.lerp(momentum, momentum_));
    const double scale = 0.2 * std::sqrt(static_cast<double>(std::max(shape[0], shape[1])));
    value.mul_(1 - learning_rate * options_.weight_decay).add_(update, -learning_rate * scale);
  }
}

}  // namespace normscope
