#include "probes/norm_jacobian.h"

namespace normscope {
namespace {

// The part without w is symmetric.
torch::Tensor symmetric_part(const NormState& s, const torch::Tensor& v) {
  auto result = v - s.normalised * (s.normalised * v).mean(-1, /*keepdim=*/true);
  if (s.kind == NormKind::LayerNorm) result = result - v.mean(-1, true);
  return result / s.sigma;
}

}  // namespace

double NormState::largest_weight() const { return weight.defined() ? weight.abs().max().item<double>() : 1.0; }

NormState norm_state(const Norm& norm, const torch::Tensor& x) {
  NormState state;
  state.kind = norm.kind();
  const auto centred = state.kind == NormKind::LayerNorm ? x - x.mean(-1, true) : x;
  state.sigma = (centred.square().mean(-1, true) + norm.eps()).sqrt();
  state.normalised = centred / state.sigma;
  if (norm.weight()) state.weight = norm.weight()->value.detach();
  return state;
}

torch::Tensor jacobian_product(const NormState& s, const torch::Tensor& v) {
  const auto result = symmetric_part(s, v);
  return s.weight.defined() ? s.weight * result : result;
}

torch::Tensor transposed_jacobian_product(const NormState& s, const torch::Tensor& v) {
  return symmetric_part(s, s.weight.defined() ? s.weight * v : v);
}

}  // namespace normscope
