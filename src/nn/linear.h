// Linear maps in both published layouts.
#pragma once
#include "nn/parameter.h"

namespace normscope {

struct Linear {
  ParameterPtr weight;         // [out, in]; [in, out] when transposed
  ParameterPtr bias;           // [out], or null
  bool is_transposed = false;  // GPT-2's Conv1D

  // x: [N, in] -> [N, out]
  torch::Tensor operator()(const torch::Tensor& x) const;
};

}  // namespace normscope
