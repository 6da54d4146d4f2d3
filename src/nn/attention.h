// Scaled dot-product attention over packed rows, without padding and without mask tensors.
#pragma once
#include <functional>

#include "kernels/kernels.h"
#include "nn/pass.h"

namespace normscope {

using kernels::AttentionPattern;

struct AttentionShape {
  int64_t num_heads = 1;
  int64_t num_key_value_heads = 1;  // divides num_heads; query head h reads key head h / (heads / kv heads)
  double scale = 1.0;               // of the scores, usually 1 / sqrt(head size)
  double dropout = 0.0;             // of the probabilities
  AttentionPattern pattern;
};

// Added to one row's scaled scores: row index -> [H, T, T] (relative positions).
using ScoreBias = std::function<torch::Tensor(int64_t row)>;

// query: [N, H*K]; key, value: [N, G*K] with G key/value heads -> [N, H*K], of the pass's kept tokens.
torch::Tensor attend(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                     const AttentionShape& shape, Pass& pass, const ScoreBias& bias = nullptr);

// One query a row, over all of the row's keys. query: [B, H*K]; key, value: [N, H*K] -> [B, H*K]. The pattern is not
// read: who asks alone sees everything.
torch::Tensor attend_once(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                          const AttentionShape& shape, Pass& pass);

// The same as attend, for all tokens, from plain operators, row by row: any device, differentiable twice.
torch::Tensor attend_plainly(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                             const AttentionShape& shape, Pass& pass, const ScoreBias& bias = nullptr);

// [T, T] booleans: may query i see key j?
torch::Tensor visibility(const AttentionPattern& pattern, int64_t tokens, torch::Device device);

}  // namespace normscope
