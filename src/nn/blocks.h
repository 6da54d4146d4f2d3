// Transformer blocks shared by the architectures; the placement of their norms is visible in two lines each.
#pragma once
#include <functional>

#include "nn/attention.h"
#include "nn/dropout.h"
#include "nn/linear.h"
#include "nn/norm.h"

namespace normscope {

enum class Placement { PostNorm, PreNorm };

// A function of hidden states, and the parameters in it that interventions reach. x: [N, in] -> [N, out]; attention
// gives the kept tokens of the pass.
struct Sublayer {
  using Function = std::function<torch::Tensor(const torch::Tensor& x, Pass& pass)>;
  Function function;
  std::vector<Linear> readers;  // the maps through which alone x is read; empty when it is read otherwise
  SublayerBiases biases;

  Sublayer() = default;
  template <typename F>
  Sublayer(F f) : function(std::move(f)) {}
  // `outputs`: the maps whose results x gets. What lies between adds its biases to the inputs'.
  Sublayer(Function f, std::vector<Linear> readers, const std::vector<Linear>& outputs = {});

  torch::Tensor operator()(const torch::Tensor& x, Pass& pass) const { return function(x, pass); }
};

struct Block {
  Sublayer attention, feed_forward;
  NormPtr attention_norm, feed_forward_norm;
  double attention_dropout = 0, feed_forward_dropout = 0;  // of what the sublayer adds to the residual
  bool is_parallel = false;  // Pre-LN only: both sublayers read the block's input (GPT-NeoX)
};

// Post-LN: norm(x + f(x)).
torch::Tensor post_norm(const Block& block, torch::Tensor x, Pass& pass);
// Pre-LN: x + f(norm(x)); parallel: x + f(norm(x)) + g(norm(x)).
torch::Tensor pre_norm(const Block& block, torch::Tensor x, Pass& pass);

// `read`: the tokens that the result is read at, [K] int64. Unless the pass computes all tokens, the last block
// computes nothing else and gives [K, D]; otherwise [N, D].
torch::Tensor run_blocks(Placement placement, const std::vector<Block>& blocks, torch::Tensor x,
                         const torch::Tensor& read, Pass& pass);

Sublayer self_attention(Linear query, Linear key, Linear value, Linear output, AttentionShape shape);
// One projection holds query, key and value side by side.
Sublayer fused_self_attention(Linear query_key_value, Linear output, AttentionShape shape);
Sublayer feed_forward(Linear up, Linear down, torch::Tensor (*activation)(const torch::Tensor&));

}  // namespace normscope
