// One forward pass: the packed rows it runs over, its mode, its dropout stream, and who observes it.
#pragma once
#include <torch/types.h>

#include <string>
#include <vector>

#include "core/random.h"

namespace normscope {

// Rows packed one after the other without padding: row i holds tokens [offsets[i], offsets[i + 1]).
struct PackedRows {
  std::vector<int64_t> offsets = {0};

  int64_t count() const { return static_cast<int64_t>(offsets.size()) - 1; }
  int64_t tokens() const { return offsets.back(); }
  int64_t length(int64_t row) const { return offsets[row + 1] - offsets[row]; }
  void append(int64_t length) { offsets.push_back(offsets.back() + length); }
};

enum class NormRole { Embedding, Attention, FeedForward, Final };

// Where a norm stands: published parameter prefix, block index (-1 outside blocks), role.
struct NormSite {
  std::string name;
  int layer = -1;
  NormRole role = NormRole::Final;
};

// Sees named points of a forward pass. Models do not know who looks.
class Observer {
 public:
  virtual ~Observer() = default;
  // x: [N, D] at the norm's input; the norm is applied to what is returned (x, or an alias of it).
  virtual torch::Tensor norm_input(const NormSite&, const torch::Tensor& x) { return x; }
};

struct Pass {
  PackedRows rows;
  bool is_training = false;  // dropout on
  uint64_t dropout_key = 0;  // of this step; every dropout of the pass derives its own
  Observer* observer = nullptr;
  // float64 passes only: RMSNorm and rotary angles in float32, as the reference takes them whatever the model's dtype,
  // so that its float64 figures can be met to their last digits. Off, float64 is float64 throughout.
  bool float32_steps = false;

  // A key for the next dropout of this pass; the order of calls is the order of the forward code.
  uint32_t next_dropout_key() { return static_cast<uint32_t>(mix(dropout_key, ++dropouts_)); }

 private:
  uint64_t dropouts_ = 0;
};

}  // namespace normscope
