#include "training/optimizer.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

#include "core/error.h"
#include "kernels/kernels.h"

namespace normscope {
namespace {

// Source: transformers (before 5) optimization.py, AdamW.
class AdamW : public Optimizer {
 public:
  AdamW(const OptimizerOptions& options, FlatParameters& parameters)
      : options_(options),
        parameters_(parameters),
        first_(at::zeros_like(parameters.values())),
        second_(at::zeros_like(first_)) {}

  void step(double learning_rate, double gradient_scale) override {
    ++steps;
    const kernels::AdamWStep s{learning_rate,         options_.beta1, options_.beta2, options_.eps,
                               options_.weight_decay, steps,          gradient_scale};
    update(0, parameters_.dense_size(), s);
    for (const auto& table : parameters_.tables()) {
      // A row never looked up has zero gradient and moments: without decay its update is exactly nothing.
      if (options_.weight_decay != 0 || !parameters_.values().is_cpu()) {
        update(table.begin, table.rows * table.width, s);
        continue;
      }
      const auto rows = FlatParameters::touched_rows(table);
      at::parallel_for(0, static_cast<int64_t>(rows.size()), 64, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          update_here(table.begin + rows[static_cast<size_t>(i)] * table.width, table.width, s);
      });
    }
  }

  std::vector<std::pair<std::string, torch::Tensor>> state() override {
    return {{"first_moment", first_}, {"second_moment", second_}};
  }

 private:
  void update(int64_t begin, int64_t count, const kernels::AdamWStep& s) {
    if (!parameters_.values().is_cpu()) return update_on_device(begin, count, s);
    at::parallel_for(0, count, 1 << 15,
                     [&](int64_t first, int64_t last) { update_here(begin + first, last - first, s); });
  }

  void update_here(int64_t begin, int64_t count, const kernels::AdamWStep& s) {
    AT_DISPATCH_FLOATING_TYPES(first_.scalar_type(), "adamw", [&] {
      const auto at = [&](const torch::Tensor& x) { return x.data_ptr<scalar_t>() + begin; };
      kernels::table<scalar_t>().adamw(at(parameters_.values()), at(parameters_.gradients()), at(first_), at(second_),
                                       count, s);
    });
  }

  void update_on_device(int64_t begin, int64_t count, const kernels::AdamWStep& s) {
    torch::NoGradGuard no_grad;
    auto p = parameters_.values().narrow(0, begin, count), m = first_.narrow(0, begin, count),
         v = second_.narrow(0, begin, count);
    const auto g = parameters_.gradients().narrow(0, begin, count) * s.gradient_scale;
    m.mul_(s.beta1).add_(g, 1 - s.beta1);
    v.mul_(s.beta2).addcmul_(g, g, 1 - s.beta2);
    const double size = s.learning_rate * std::sqrt(1 - std::pow(s.beta2, static_cast<double>(s.step))) /
                        (1 - std::pow(s.beta1, static_cast<double>(s.step)));
    p.addcdiv_(m, v.sqrt().add_(s.eps), -size);
    if (s.weight_decay != 0) p.mul_(1 - s.learning_rate * s.weight_decay);
  }

  OptimizerOptions options_;
  FlatParameters& parameters_;
  torch::Tensor first_, second_;
};

// p -= lr * v, v = momentum * v + g (torch.optim.SGD's form), decay added to the gradient.
class Sgd : public Optimizer {
 public:
  Sgd(const OptimizerOptions& options, FlatParameters& parameters) : options_(options), parameters_(parameters) {
    if (options.momentum != 0) velocity_ = at::zeros_like(parameters.values());
  }

  void step(double learning_rate, double gradient_scale) override {
    torch::NoGradGuard no_grad;
    ++steps;
    auto values = parameters_.values();
    auto update = parameters_.gradients() * gradient_scale;
    if (options_.weight_decay != 0) update.add_(values, options_.weight_decay);
    if (velocity_.defined()) update = velocity_.mul_(options_.momentum).add_(update);
    values.add_(update, -learning_rate);
  }

  std::vector<std::pair<std::string, torch::Tensor>> state() override {
    if (!velocity_.defined()) return {};
    return {{"velocity", velocity_}};
  }

 private:
  OptimizerOptions options_;
  FlatParameters& parameters_;
  torch::Tensor velocity_;
};

}  // namespace

std::unique_ptr<Optimizer> make_optimizer(const OptimizerOptions& options, FlatParameters& parameters) {
  if (options.kind == "adamw") return std::make_unique<AdamW>(options, parameters);
  if (options.kind == "sgd") return std::make_unique<Sgd>(options, parameters);
  throw Error(ErrorKind::Usage, "training.optimizer: '" + options.kind + "' is not known; known: adamw, sgd");
}

}  // namespace normscope
