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

namespace kernels {
struct AttentionPattern;
}

// Sees named points of a forward pass, which goes on with what a point returns: the tensor itself, or an alias of it
// that autograd tells apart from its other uses. Models do not know who looks.
class Observer {
 public:
  virtual ~Observer() = default;
  // False of one that can do without the tokens that nothing reads after the last block: then they do not go through
  // it, as in a pass that nobody observes.
  virtual bool needs_all_tokens() const { return true; }
  // x: [N, D], the residual stream after `depth` blocks; 0 is what the first one reads.
  virtual torch::Tensor hidden_states(int /*depth*/, const torch::Tensor& x) { return x; }
  // x: [N, D] at the norm's input.
  virtual torch::Tensor norm_input(const NormSite&, const torch::Tensor& x) { return x; }
  // y: [N, D], what the norm gives, w and b applied.
  virtual torch::Tensor norm_output(const NormSite&, const torch::Tensor& y) { return y; }
  // y: [N, D], what the sublayer beside this norm adds to the residual stream, before dropout.
  virtual torch::Tensor sublayer_output(const NormSite&, const torch::Tensor& y) { return y; }
  // The first map of a block's feed-forward sublayer: x: [N, D], what it reads; y: [N, F], what it gives.
  virtual torch::Tensor feed_forward_hidden(const torch::Tensor& /*x*/, const torch::Tensor& y) { return y; }
  // Probabilities of one row: [H, T, T], queries by keys; only in passes with plain_attention.
  virtual void attention_weights(int64_t /*row*/, const kernels::AttentionPattern&, const torch::Tensor& /*weights*/) {}
};

struct Pass {
  PackedRows rows;
  bool is_training = false;  // dropout on
  uint64_t dropout_key = 0;  // of this step; every dropout of the pass derives its own
  Observer* observer = nullptr;
  // float64 passes only: RMSNorm and rotary angles in float32, as the reference takes them whatever the model's dtype,
  // so that its float64 figures can be met to their last digits. Off, float64 is float64 throughout.
  bool float32_steps = false;
  bool plain_attention = false;  // from plain operators only: differentiable twice, its probabilities observed
  // The tokens that anything reads after the block at hand: [K] int64. Its attention gives these alone. Undefined: all.
  torch::Tensor kept_tokens;

  bool computes_all_tokens() const { return observer != nullptr && observer->needs_all_tokens(); }
  // x: [N, D] -> [K, D]
  torch::Tensor kept(const torch::Tensor& x) const {
    return kept_tokens.defined() ? x.index_select(0, kept_tokens) : x;
  }

  // A key for the next dropout of this pass; the order of calls is the order of the forward code.
  uint32_t next_dropout_key() { return static_cast<uint32_t>(mix(dropout_key, ++dropouts_)); }

 private:
  uint64_t dropouts_ = 0;
};

}  // namespace normscope
