// A norm's own statistics and its Jacobian in closed form (study.md 5.2).
#pragma once
#include "nn/norm.h"

namespace normscope {

// Of x: [N, D]. LayerNorm: sigma = sqrt(biased variance + eps); RMSNorm: sqrt(mean(x^2) + eps), no mean taken off.
struct NormState {
  NormKind kind = NormKind::LayerNorm;
  torch::Tensor sigma;       // [N, 1]
  torch::Tensor normalised;  // [N, D], before w and b
  torch::Tensor weight;      // [D], undefined when the norm has none

  double largest_weight() const;  // max |w|; 1 without w
};
NormState norm_state(const Norm& norm, const torch::Tensor& x);

// J v and J' v token by token: J = diag(w) (I - 1 1'/D - n n'/D) / sigma with n the normalised token; RMSNorm has no
// 1 1'. v: [N, D].
torch::Tensor jacobian_product(const NormState& state, const torch::Tensor& v);
torch::Tensor transposed_jacobian_product(const NormState& state, const torch::Tensor& v);

}  // namespace normscope
