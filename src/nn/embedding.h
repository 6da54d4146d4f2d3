// Embedding tables whose gradient touches only the rows that were looked up.
#pragma once
#include "nn/parameter.h"

namespace normscope {

// ids: [N] int64 in [0, rows) -> [N, D]. The gradient is dense, or, when the optimiser set
// table->row_gradient, added there row by row in the order of the ids.
torch::Tensor look_up(const ParameterPtr& table, const torch::Tensor& ids);

}  // namespace normscope
