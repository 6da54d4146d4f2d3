// Optimisers over flat parameters.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "training/flat_parameters.h"

namespace normscope {

struct OptimizerOptions {
  std::string kind = "adamw";
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-6, weight_decay = 0.0;
  std::optional<double> momentum;  // sgd (0) and muon (0.95)
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  // One update; the gradient is multiplied by `gradient_scale` first (clipping).
  virtual void step(double learning_rate, double gradient_scale) = 0;
  // Tensors that a saved state needs beside the parameters, by name; restoring writes into them.
  virtual std::vector<std::pair<std::string, torch::Tensor>> state() = 0;
  int64_t steps = 0;  // updates so far
};

// kind: adamw, sgd, muon. Throws Error(Usage) for another.
std::unique_ptr<Optimizer> make_optimizer(const OptimizerOptions& options, FlatParameters& parameters);

}  // namespace normscope
