// From rows as a model reads them to batches.
#pragma once
#include <span>
#include <vector>

#include "models/model.h"
#include "training/pictures.h"

namespace normscope {

// Rows of one split, tokenised texts or decoded pictures; labels are class indices (empty when unknown).
struct TokenRows {
  std::vector<std::vector<int64_t>> input_ids;
  Pictures pictures;
  std::vector<int> labels;

  bool has_pictures() const { return pictures.count() > 0; }
  int64_t count() const { return has_pictures() ? pictures.count() : static_cast<int64_t>(input_ids.size()); }
};

struct Batch {
  Inputs inputs;
  PackedRows rows;       // of texts; what a picture's tokens are, the model tells the pass
  torch::Tensor labels;  // [B] int64, undefined when the rows have none
};

struct BatchOptions {
  torch::Device device = torch::kCPU;
  torch::ScalarType dtype = torch::kFloat32;
  int64_t padded_length = 0;  // the study's left-padded models see positions shifted to end here; 0: from 0
};

// Rows `indices` of `rows`, in that order.
TokenRows select_rows(const TokenRows& rows, std::span<const int64_t> indices);

// The same rows as a batch; texts without padding.
Batch make_batch(const TokenRows& rows, std::span<const int64_t> indices, const BatchOptions& options);

}  // namespace normscope
