// Layer normalisation that knows where it stands in the model and can lose its parameters.
#pragma once
#include "nn/parameter.h"
#include "nn/pass.h"

namespace normscope {

enum class NormKind { LayerNorm, RMSNorm };

class Norm {
 public:
  // bias may be null (RMSNorm has none).
  Norm(NormSite site, NormKind kind, ParameterPtr weight, ParameterPtr bias, int64_t size, double eps)
      : site_(std::move(site)),
        kind_(kind),
        weight_(std::move(weight)),
        bias_(std::move(bias)),
        size_(size),
        eps_(eps) {}

  // LayerNorm: w * (x - mean) / sqrt(var + eps) + b, biased variance; RMSNorm: w * x / sqrt(mean(x^2) + eps).
  // x: [N, D] -> [N, D]
  torch::Tensor operator()(const torch::Tensor& x, Pass& pass) const;

  const NormSite& site() const { return site_; }
  NormKind kind() const { return kind_; }
  int64_t size() const { return size_; }
  double eps() const { return eps_; }
  bool affine() const { return weight_ || bias_; }
  const ParameterPtr& weight() const { return weight_; }
  const ParameterPtr& bias() const { return bias_; }

  // Deletes w and b for good, here and from the model's parameters; the normalisation stays.
  void remove_affine(ParameterSet& parameters);
  // w and b keep their values but are no parameters of the model any more: no gradient, no step.
  void freeze(ParameterSet& parameters);
  // w becomes 1 and b 0; both stay trainable.
  void reset();

 private:
  NormSite site_;
  NormKind kind_;
  ParameterPtr weight_, bias_;
  int64_t size_;
  double eps_;
};
using NormPtr = std::shared_ptr<Norm>;

const char* role_name(NormRole role);  // embedding, attention, feed_forward, final
const char* kind_name(NormKind kind);

}  // namespace normscope
