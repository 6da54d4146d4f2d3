#include "training/evaluate.h"

#include <algorithm>
#include <numeric>

namespace normscope {

void append_logits(const torch::Tensor& logits, Logits& to) {
  const auto values = logits.detach().to(torch::kCPU, torch::kFloat64).contiguous();
  to.num_classes = values.size(1);
  to.values.insert(to.values.end(), values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel());
}

Logits evaluate(const Model& model, const TokenRows& rows, int64_t batch_size, const BatchOptions& options) {
  torch::NoGradGuard no_grad;
  Logits logits;
  logits.num_classes = model.num_labels;
  std::vector<int64_t> indices;
  for (int64_t begin = 0; begin < rows.count(); begin += batch_size) {
    indices.resize(static_cast<size_t>(std::min(batch_size, rows.count() - begin)));
    std::iota(indices.begin(), indices.end(), begin);
    const auto batch = make_batch(rows, indices, options);
    Pass pass;
    pass.rows = batch.rows;
    append_logits(model.forward(batch.inputs, pass), logits);
  }
  return logits;
}

}  // namespace normscope
