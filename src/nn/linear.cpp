#include "nn/linear.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>

namespace normscope {

torch::Tensor Linear::operator()(const torch::Tensor& x) const {
  if (!is_transposed) return at::linear(x, weight->value, bias ? bias->value : torch::Tensor());
  return bias ? at::addmm(bias->value, x, weight->value) : at::mm(x, weight->value);
}

}  // namespace normscope
