// Dropout from a stateless hash: the same mask for any thread count, nothing stored for the backward pass.
#pragma once
#include "kernels/kernels.h"
#include "nn/pass.h"

namespace normscope {

// x of any shape. Identity when the pass is not training or p is 0. p in [0, 1).
torch::Tensor dropout(const torch::Tensor& x, double p, Pass& pass);

// What the kernels need for probability p under `key`.
kernels::Dropout dropout_of(double p, uint32_t key);

// The same mask with plain operators, on any device: 0 or 1 / (1 - p), shaped as asked.
torch::Tensor dropout_mask(torch::IntArrayRef shape, const kernels::Dropout& dropout,
                           const torch::TensorOptions& options);

}  // namespace normscope
