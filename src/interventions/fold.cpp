#include "interventions/fold.h"

#include <ATen/ops/mv.h>

#include <algorithm>
#include <cassert>

namespace normscope {

std::optional<std::string> why_not_foldable(const Norm& norm) {
  if (!norm.affine()) return "has no scale and shift to fold";
  if (norm.readers().empty()) return "is read by more than linear maps (in Post-LN by the residual too)";
  const bool biased = std::ranges::all_of(norm.readers(), [](const Linear& map) { return map.bias != nullptr; });
  if (norm.bias() && !biased) return "has a shift, and a linear map that reads it has no bias to take it";
  return std::nullopt;
}

void fold(Norm& norm, ParameterSet& parameters) {
  assert(!why_not_foldable(norm));
  torch::NoGradGuard no_grad;
  for (const auto& map : norm.readers()) {
    auto weight = map.is_transposed ? map.weight->value.t() : map.weight->value;  // [out, in]
    if (norm.bias()) map.bias->value.add_(at::mv(weight, norm.bias()->value));
    if (norm.weight()) weight.mul_(norm.weight()->value);
  }
  norm.remove_affine(parameters);
}

}  // namespace normscope
