// Muon: the momentum of a matrix, made nearly orthogonal, is its update; everything else is AdamW's.
#pragma once
#include "training/adamw.h"

namespace normscope {

// Source: Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks"; defined as torch.optim.Muon is
// (Nesterov momentum m = mu m + (1 - mu) g, five Newton-Schulz steps, decay before the update). The learning rate is
// scaled by 0.2 sqrt(max(rows, columns)) (Liu et al. 2025, "Muon is Scalable for LLM Training"; torch's
// adjust_lr_fn = "match_rms_adamw"), so that one rate serves both rules and a transposed weight changes alike.
// Matrices are what Parameter::is_matrix marks. Newton-Schulz runs in the parameters' own format, not in bfloat16.
class Muon : public Optimizer {
 public:
  Muon(const OptimizerOptions& options, FlatParameters& parameters);

  void step(double learning_rate, double gradient_scale) override;
  // As AdamW's; a matrix's momentum lies in the first moment, its second moment is not used.
  std::vector<std::pair<std::string, torch::Tensor>> state() override { return others_.state(); }

 private:
  OptimizerOptions options_;
  FlatParameters& parameters_;
  double momentum_;
  AdamW others_;
};

// U V' of x = U S V', roughly: the singular values end up between about 0.7 and 1.2. x: [R, C]
torch::Tensor nearly_orthogonal(const torch::Tensor& x);

}  // namespace normscope
