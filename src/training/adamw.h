// AdamW over parts of the flat parameters.
#pragma once
#include "training/optimizer.h"

namespace normscope {
namespace kernels {
struct AdamWStep;
}

// Source: transformers (before 5) optimization.py, AdamW: eps is added before bias correction (study.md 2.5).
class AdamW : public Optimizer {
 public:
  // With `skips_matrices`, what Parameter::is_matrix marks is left to another rule.
  AdamW(const OptimizerOptions& options, FlatParameters& parameters, bool skips_matrices = false);

  void step(double learning_rate, double gradient_scale) override;
  std::vector<std::pair<std::string, torch::Tensor>> state() override {
    return {{"first_moment", first_}, {"second_moment", second_}};
  }

 private:
  // Elements that joined the run after as many updates; bias correction counts from there.
  struct Span {
    int64_t begin, count, first_step;
  };
  void update(int64_t begin, int64_t count, const kernels::AdamWStep& step);
  void update_here(int64_t begin, int64_t count, const kernels::AdamWStep& step);
  void update_on_device(int64_t begin, int64_t count, const kernels::AdamWStep& step);

  OptimizerOptions options_;
  FlatParameters& parameters_;
  torch::Tensor first_, second_;  // moments, laid out as the parameters
  std::vector<Span> spans_;       // of everything but the tables
};

}  // namespace normscope
