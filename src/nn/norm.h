// Layer normalisation that knows where it stands in the model and can be changed there.
#pragma once
#include "nn/linear.h"
#include "nn/pass.h"

namespace normscope {

enum class NormKind { LayerNorm, RMSNorm, Tanh, Identity };

// What a norm computes with; null where it has no such parameter.
struct NormParts {
  NormKind kind = NormKind::LayerNorm;
  ParameterPtr weight, bias;  // [D]
  ParameterPtr slope;         // [1], of Tanh only
};

// Of the linear maps of one attention or feed-forward layer.
struct SublayerBiases {
  std::vector<ParameterPtr> inputs;   // of every map but the last
  std::vector<ParameterPtr> outputs;  // of the map whose result joins the residual
  std::vector<ParameterPtr> all() const;
};

class Norm {
 public:
  // bias may be null (RMSNorm has none).
  Norm(NormSite site, NormKind kind, ParameterPtr weight, ParameterPtr bias, int64_t size, double eps)
      : site_(std::move(site)),
        parts_{kind, std::move(weight), std::move(bias), nullptr},
        published_kind_(kind),
        size_(size),
        eps_(eps) {}

  // LayerNorm: w * (x - mean) / sqrt(var + eps) + b, biased variance; RMSNorm: w * x / sqrt(mean(x^2) + eps);
  // Tanh: w * tanh(slope * x) + b (DyT, Zhu et al. 2025); Identity: x.
  // x: [N, D] -> [N, D]
  torch::Tensor operator()(const torch::Tensor& x, Pass& pass) const;

  const NormSite& site() const { return site_; }
  NormKind kind() const { return parts_.kind; }
  NormKind published_kind() const { return published_kind_; }
  int64_t size() const { return size_; }
  double eps() const { return eps_; }
  bool affine() const { return parts_.weight || parts_.bias; }
  const ParameterPtr& weight() const { return parts_.weight; }
  const ParameterPtr& bias() const { return parts_.bias; }
  const NormParts& parts() const { return parts_; }
  void set_parts(NormParts parts) { parts_ = std::move(parts); }

  // Deletes w or b, here and from the model's parameters; the normalisation stays.
  void remove_weight(ParameterSet& parameters);
  void remove_bias(ParameterSet& parameters);
  void remove_affine(ParameterSet& parameters);
  // w and b keep their values but are no parameters of the model any more: no gradient, no step.
  void freeze(ParameterSet& parameters);
  // w moves towards 1 and b towards 0 by the share alpha; both stay trainable.
  void interpolate(double alpha);
  void reset() { interpolate(1); }
  // Another function in its place. What that has and the norm had keeps its values: RMSNorm w, LayerNorm and Tanh w
  // and b, Identity nothing. What is new starts at 1, at 0, or for the slope at kInitialSlope.
  void replace(NormKind kind, ParameterSet& parameters);

  // The sublayer that belongs to this norm: the maps that read the norm's output when nothing else does (Pre-LN), and
  // the biases of all its maps.
  void set_sublayer(std::vector<Linear> readers, SublayerBiases biases);
  const std::vector<Linear>& readers() const { return readers_; }
  const SublayerBiases& sublayer_biases() const { return sublayer_biases_; }

  static constexpr double kInitialSlope = 0.5;  // Zhu et al. 2025, "Transformers without Normalization", alpha_0

 private:
  torch::Tensor apply(const torch::Tensor& in, const Pass& pass) const;

  NormSite site_;
  NormParts parts_;
  NormKind published_kind_;
  int64_t size_;
  double eps_;
  std::vector<Linear> readers_;
  SublayerBiases sublayer_biases_;
};
using NormPtr = std::shared_ptr<Norm>;

const char* role_name(NormRole role);  // embedding, attention, feed_forward, final
const char* kind_name(NormKind kind);  // LayerNorm, RMSNorm, tanh, identity

}  // namespace normscope
