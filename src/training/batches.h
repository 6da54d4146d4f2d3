// From token ids of rows to packed batches.
#pragma once
#include <span>
#include <vector>

#include "models/model.h"

namespace normscope {

// Tokenised rows of one split; labels are class indices (empty when unknown).
struct TokenRows {
  std::vector<std::vector<int64_t>> input_ids;
  std::vector<int> labels;

  int64_t count() const { return static_cast<int64_t>(input_ids.size()); }
};

struct Batch {
  Inputs inputs;
  PackedRows rows;
  torch::Tensor labels;  // [B] int64, undefined when the rows have none
};

struct BatchOptions {
  torch::Device device = torch::kCPU;
  torch::ScalarType dtype = torch::kFloat32;
  int64_t padded_length = 0;  // the study's left-padded models see positions shifted to end here; 0: from 0
};

// Rows `indices` of `rows`, in that order.
TokenRows select_rows(const TokenRows& rows, std::span<const int64_t> indices);

// The same rows as a batch, without padding.
Batch make_batch(const TokenRows& rows, std::span<const int64_t> indices, const BatchOptions& options);

}  // namespace normscope
