#include "nn/norm.h"

#include <ATen/ops/full.h>
#include <ATen/ops/layer_norm.h>

namespace normscope {

namespace {

void remove(ParameterPtr& parameter, ParameterSet& parameters) {
  if (!parameter) return;
  parameters.remove(parameter);
  parameter.reset();
}

}  // namespace

torch::Tensor Norm::apply(const torch::Tensor& in, const Pass& pass) const {
  if (parts_.kind == NormKind::Identity) return in;
  const torch::Tensor weight = parts_.weight ? parts_.weight->value : torch::Tensor();
  const torch::Tensor bias = parts_.bias ? parts_.bias->value : torch::Tensor();
  if (parts_.kind == NormKind::LayerNorm) return at::layer_norm(in, {size_}, weight, bias, eps_);
  torch::Tensor y;
  if (parts_.kind == NormKind::Tanh) {
    y = (parts_.slope->value * in).tanh();
  } else {
    const torch::Tensor x32 = pass.float32_steps ? in.to(torch::kFloat32) : in;
    y = (x32 * (x32.square().mean(-1, /*keepdim=*/true) + eps_).rsqrt()).to(in.scalar_type());
  }
  if (weight.defined()) y = weight * y;
  return bias.defined() ? y + bias : y;
}

torch::Tensor Norm::operator()(const torch::Tensor& x, Pass& pass) const {
  if (pass.observer == nullptr) return apply(x, pass);
  return pass.observer->norm_output(site_, apply(pass.observer->norm_input(site_, x), pass));
}

void Norm::remove_weight(ParameterSet& parameters) { remove(parts_.weight, parameters); }

void Norm::remove_bias(ParameterSet& parameters) { remove(parts_.bias, parameters); }

void Norm::remove_affine(ParameterSet& parameters) {
  remove_weight(parameters);
  remove_bias(parameters);
}

void Norm::freeze(ParameterSet& parameters) {
  for (const auto& parameter : {parts_.weight, parts_.bias, parts_.slope}) {
    if (!parameter) continue;
    parameters.remove(parameter);
    // A copy: the value may be a view of the memory of all parameters, which must not stay for its sake.
    parameter->value = parameter->value.detach().clone();
  }
}

void Norm::interpolate(double alpha) {
  torch::NoGradGuard no_grad;
  if (parts_.weight) parts_.weight->value.mul_(1 - alpha).add_(alpha);
  if (parts_.bias) parts_.bias->value.mul_(1 - alpha);
}

void Norm::replace(NormKind kind, ParameterSet& parameters) {
  const auto options = [&] {
    for (const auto& given : {parts_.weight, parts_.bias, parameters.all().empty() ? nullptr : parameters.all()[0]})
      if (given) return given->value.options().requires_grad(false);
    return torch::TensorOptions();
  }();
  const auto make = [&](ParameterPtr& parameter, const char* leaf, int64_t size, double value) {
    if (parameter) return;
    parameter = std::make_shared<Parameter>();
    parameter->name = site_.name + leaf;
    parameter->value = at::full({size}, value, options).requires_grad_();
    parameters.add(parameter);
  };
  parts_.kind = kind;
  if (kind != NormKind::Tanh) remove(parts_.slope, parameters);
  if (kind == NormKind::Identity) return remove_affine(parameters);
  make(parts_.weight, ".weight", size_, 1);
  if (kind == NormKind::RMSNorm) return remove_bias(parameters);
  make(parts_.bias, ".bias", size_, 0);
  if (kind == NormKind::Tanh) make(parts_.slope, ".alpha", 1, kInitialSlope);
}

void Norm::set_sublayer(std::vector<Linear> readers, SublayerBiases biases) {
  readers_ = std::move(readers);
  sublayer_biases_ = std::move(biases);
}

std::vector<ParameterPtr> SublayerBiases::all() const {
  std::vector<ParameterPtr> all = inputs;
  all.insert(all.end(), outputs.begin(), outputs.end());
  return all;
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

const char* kind_name(NormKind kind) {
  switch (kind) {
    case NormKind::LayerNorm:
      return "LayerNorm";
    case NormKind::RMSNorm:
      return "RMSNorm";
    case NormKind::Tanh:
      return "tanh";
    case NormKind::Identity:
      return "identity";
  }
  return "";
}

}  // namespace normscope
