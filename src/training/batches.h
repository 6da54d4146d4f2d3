// From rows as a model reads them to batches.
#pragma once
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "core/file.h"
#include "models/model.h"
#include "training/pictures.h"

namespace normscope {

// Token ids of rows in a mapped file, which processes that train on the same rows hold in memory once.
struct MappedTokens {
  std::vector<std::span<const int64_t>> rows;
  std::shared_ptr<const MappedFile> file;
};

// Rows of one split, tokenised texts (in memory or mapped) or decoded pictures; labels are class indices (empty when
// unknown).
struct TokenRows {
  std::vector<std::vector<int64_t>> input_ids;
  MappedTokens mapped;
  Pictures pictures;
  std::vector<int> labels;

  bool has_pictures() const { return pictures.count() > 0; }
  int64_t count() const {
    return static_cast<int64_t>(has_pictures() ? pictures.rgb.size() : std::max(input_ids.size(), mapped.rows.size()));
  }
  std::span<const int64_t> ids(int64_t row) const {
    const auto at = static_cast<size_t>(row);
    return mapped.rows.empty() ? std::span<const int64_t>(input_ids[at]) : mapped.rows[at];
  }
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
