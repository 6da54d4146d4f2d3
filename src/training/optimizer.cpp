#include "training/optimizer.h"

#include <ATen/ops/zeros_like.h>

#include "core/error.h"
#include "training/adamw.h"
#include "training/muon.h"

namespace normscope {
namespace {

// v = momentum * v + g, p -= lr * v: torch.optim.SGD's form (Sutskever et al. 2013 with the rate outside), decay added
// to the gradient.
class Sgd : public Optimizer {
 public:
  Sgd(const OptimizerOptions& options, FlatParameters& parameters)
      : options_(options), parameters_(parameters), momentum_(options.momentum.value_or(0)) {
    if (momentum_ != 0) velocity_ = at::zeros_like(parameters.values());
  }

  void step(double learning_rate, double gradient_scale) override {
    torch::NoGradGuard no_grad;
    ++steps;
    auto values = parameters_.values();
    auto update = parameters_.gradients() * gradient_scale;
    if (options_.weight_decay != 0) update.add_(values, options_.weight_decay);
    if (velocity_.defined()) update = velocity_.mul_(momentum_).add_(update);
    values.add_(update, -learning_rate);
  }

  std::vector<std::pair<std::string, torch::Tensor>> state() override {
    if (!velocity_.defined()) return {};
    return {{"velocity", velocity_}};
  }

 private:
  OptimizerOptions options_;
  FlatParameters& parameters_;
  double momentum_;
  torch::Tensor velocity_;  // laid out as the parameters
};

}  // namespace

std::unique_ptr<Optimizer> make_optimizer(const OptimizerOptions& options, FlatParameters& parameters) {
  if (options.kind == "adamw") return std::make_unique<AdamW>(options, parameters);
  if (options.kind == "sgd") return std::make_unique<Sgd>(options, parameters);
  if (options.kind == "muon") return std::make_unique<Muon>(options, parameters);
  throw Error(ErrorKind::Usage, "training.optimizer: '" + options.kind + "' is not known; known: adamw, sgd, muon");
}

}  // namespace normscope
