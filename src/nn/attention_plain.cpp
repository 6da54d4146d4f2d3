// The reference form of packed attention, and the one for other devices and score biases.
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/softmax.h>

#include <limits>

#include "nn/attention.h"
#include "nn/dropout.h"

namespace normscope {

torch::Tensor visibility(const AttentionPattern& pattern, int64_t tokens, torch::Device device) {
  const auto index = at::arange(tokens, torch::TensorOptions(torch::kInt64).device(device));
  const auto distance = index.unsqueeze(1) - index.unsqueeze(0);  // query - key: [T, T]
  auto seen = pattern.causal ? distance >= 0 : distance == distance;
  if (pattern.window > 0) {
    seen = seen.logical_and(pattern.causal ? distance < pattern.window : distance.abs() <= pattern.window);
    if (pattern.first_is_global) seen = seen.logical_or((index == 0).unsqueeze(0));
  }
  return seen;
}

torch::Tensor attend_plainly(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                             const AttentionShape& shape, Pass& pass, const ScoreBias& bias) {
  const int64_t H = shape.num_heads, G = shape.num_key_value_heads, K = query.size(1) / H;
  const bool drops = pass.is_training && shape.dropout > 0;
  const uint32_t dropout_key = drops ? pass.next_dropout_key() : 0;
  std::vector<torch::Tensor> outputs;
  for (int64_t row = 0; row < pass.rows.count(); ++row) {
    const int64_t begin = pass.rows.offsets[row], T = pass.rows.length(row);
    const auto heads = [&](const torch::Tensor& x, int64_t count) {  // [T, count*K] -> [H, T, K]
      const auto split = x.narrow(0, begin, T).view({T, count, K}).transpose(0, 1);
      return count == H ? split : split.repeat_interleave(H / count, 0);
    };
    auto scores = heads(query, H).matmul(heads(key, G).transpose(1, 2)) * shape.scale;  // [H, T, T]
    if (bias) scores = scores + bias(row);
    if (shape.pattern.causal || shape.pattern.window > 0)
      scores = scores.masked_fill(visibility(shape.pattern, T, scores.device()).logical_not(),
                                  -std::numeric_limits<double>::infinity());
    auto weights = at::softmax(scores, -1);
    if (pass.plain_attention && pass.observer != nullptr) pass.observer->attention_weights(row, shape.pattern, weights);
    if (drops) {
      std::vector<torch::Tensor> masks;
      for (int64_t head = 0; head < H; ++head)
        masks.push_back(dropout_mask(
            {1, T, T}, dropout_of(shape.dropout, kernels::hash32(dropout_key, static_cast<uint32_t>(row * H + head))),
            scores.options()));
      weights = weights * at::cat(masks);
    }
    outputs.push_back(weights.matmul(heads(value, G)).transpose(0, 1).reshape({T, H * K}));
  }
  return outputs.empty() ? query : at::cat(outputs);
}

torch::Tensor attend_once(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                          const AttentionShape& shape, Pass& pass) {
  const int64_t H = shape.num_heads, K = query.size(1) / H;
  const bool drops = pass.is_training && shape.dropout > 0;
  const uint32_t dropout_key = drops ? pass.next_dropout_key() : 0;
  std::vector<torch::Tensor> outputs;
  for (int64_t row = 0; row < pass.rows.count(); ++row) {
    const int64_t begin = pass.rows.offsets[row], T = pass.rows.length(row);
    const auto heads = [&](const torch::Tensor& x) { return x.narrow(0, begin, T).view({T, H, K}).transpose(0, 1); };
    const auto scores = query[row].view({H, 1, K}).matmul(heads(key).transpose(1, 2)) * shape.scale;  // [H, 1, T]
    auto weights = at::softmax(scores, -1);
    if (drops)
      weights =
          weights * dropout_mask({H, 1, T},
                                 dropout_of(shape.dropout, kernels::hash32(dropout_key, static_cast<uint32_t>(row))),
                                 scores.options());
    outputs.push_back(weights.matmul(heads(value)).reshape({1, H * K}));
  }
  return outputs.empty() ? query : at::cat(outputs);
}

}  // namespace normscope
