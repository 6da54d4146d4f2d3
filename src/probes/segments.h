// Sums over the tokens of each packed row.
#pragma once
#include "nn/pass.h"

namespace normscope {

class Segments {
 public:
  explicit Segments(const PackedRows& rows, const torch::TensorOptions& options);

  // [N] -> [B], or [N, D] -> [B, D]
  torch::Tensor sum(const torch::Tensor& x) const;
  // [N] -> [B]
  torch::Tensor mean(const torch::Tensor& x) const { return sum(x) / lengths_; }
  torch::Tensor largest(const torch::Tensor& x) const;
  // [B] -> [N]
  torch::Tensor spread(const torch::Tensor& x) const { return x.index_select(0, row_of_token_); }
  const torch::Tensor& lengths() const { return lengths_; }  // [B]

 private:
  PackedRows rows_;
  torch::Tensor row_of_token_;  // [N] int64
  torch::Tensor matrix_;        // [B, N] of 0 and 1: a product sums in a fixed order on any device
  torch::Tensor lengths_;
};

// Appends a [B] tensor to a list.
void append(const torch::Tensor& x, std::vector<double>& to);

}  // namespace normscope
