#include "nn/norm.h"

#include <ATen/ops/layer_norm.h>

namespace normscope {

torch::Tensor Norm::operator()(const torch::Tensor& x, Pass& pass) const {
  const torch::Tensor in = pass.observer != nullptr ? pass.observer->norm_input(site_, x) : x;
  const torch::Tensor weight = weight_ ? weight_->value : torch::Tensor();
  const torch::Tensor bias = bias_ ? bias_->value : torch::Tensor();
  const auto observed = [&](const torch::Tensor& y) {
    return pass.observer != nullptr ? pass.observer->norm_output(site_, y) : y;
  };
  if (kind_ == NormKind::LayerNorm) return observed(at::layer_norm(in, {size_}, weight, bias, eps_));
  const torch::Tensor x32 = pass.float32_steps ? in.to(torch::kFloat32) : in;
  const torch::Tensor normalised =
      (x32 * (x32.square().mean(-1, /*keepdim=*/true) + eps_).rsqrt()).to(in.scalar_type());
  return observed(weight.defined() ? weight * normalised : normalised);
}

void Norm::remove_affine(ParameterSet& parameters) {
  for (auto* parameter : {&weight_, &bias_}) {
    if (!*parameter) continue;
    parameters.remove(*parameter);
    parameter->reset();
  }
}

void Norm::freeze(ParameterSet& parameters) {
  for (const auto& parameter : {weight_, bias_}) {
    if (!parameter) continue;
    parameters.remove(parameter);
    parameter->value.requires_grad_(false);
  }
}

void Norm::reset() {
  torch::NoGradGuard no_grad;
  if (weight_) weight_->value.fill_(1);
  if (bias_) bias_->value.zero_();
}

const char* role_name(NormRole role) {
  switch (role) {
    case NormRole::Embedding:
      return "embedding";
    case NormRole::Attention:
      return "attention";
    case NormRole::FeedForward:
      return "feed_forward";
    case NormRole::Final:
      return "final";
  }
  return "";
}

const char* kind_name(NormKind kind) { return kind == NormKind::LayerNorm ? "LayerNorm" : "RMSNorm"; }

}  // namespace normscope
