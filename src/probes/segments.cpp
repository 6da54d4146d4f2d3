#include "probes/segments.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

namespace normscope {

Segments::Segments(const PackedRows& rows, const torch::TensorOptions& options) : rows_(rows) {
  std::vector<int64_t> row_of_token, lengths;
  for (int64_t row = 0; row < rows.count(); ++row) {
    lengths.push_back(rows.length(row));
    row_of_token.insert(row_of_token.end(), static_cast<size_t>(rows.length(row)), row);
  }
  row_of_token_ = torch::tensor(row_of_token, torch::kInt64).to(options.device());
  lengths_ = torch::tensor(lengths, torch::kInt64).to(options);
  matrix_ = at::zeros({rows.count(), rows.tokens()}, options);
  matrix_.scatter_(0, row_of_token_.unsqueeze(0), 1.0);
}

torch::Tensor Segments::sum(const torch::Tensor& x) const {
  // Half precisions would lose the sum.
  const auto exact = x.element_size() < 4 ? x.to(torch::kFloat32) : x;
  return matrix_.to(exact.scalar_type()).matmul(exact);
}

torch::Tensor Segments::largest(const torch::Tensor& x) const {
  std::vector<torch::Tensor> parts;
  for (int64_t row = 0; row < rows_.count(); ++row)
    parts.push_back(x.narrow(0, rows_.offsets[static_cast<size_t>(row)], rows_.length(row)).max());
  return at::stack(parts);
}

void append(const torch::Tensor& x, std::vector<double>& to) {
  const auto values = x.detach().to(torch::kCPU, torch::kFloat64).contiguous();
  to.insert(to.end(), values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel());
}

}  // namespace normscope
