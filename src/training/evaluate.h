// Logits of rows in eval mode.
#pragma once
#include "measurements/logits.h"
#include "training/batches.h"

namespace normscope {

// [B, C] on any device -> float64 rows.
void append_logits(const torch::Tensor& logits, Logits& to);

// Every row of `rows`, in order, in batches of `batch_size` rows, no gradients, no dropout.
Logits evaluate(const Model& model, const TokenRows& rows, int64_t batch_size, const BatchOptions& options);

}  // namespace normscope
