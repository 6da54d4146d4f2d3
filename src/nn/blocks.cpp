#include "nn/blocks.h"

namespace normscope {
namespace {

// What each sublayer adds to the residual.
torch::Tensor attended(const Block& b, const torch::Tensor& x, Pass& pass) {
  auto y = b.attention(x, pass);
  if (pass.observer != nullptr) y = pass.observer->sublayer_output(b.attention_norm->site(), y);
  return dropout(y, b.attention_dropout, pass);
}

torch::Tensor fed_forward(const Block& b, const torch::Tensor& x, Pass& pass) {
  auto y = b.feed_forward(x, pass);
  if (pass.observer != nullptr) y = pass.observer->sublayer_output(b.feed_forward_norm->site(), y);
  return dropout(y, b.feed_forward_dropout, pass);
}

torch::Tensor observed(int depth, const torch::Tensor& x, Pass& pass) {
  return pass.observer != nullptr ? pass.observer->hidden_states(depth, x) : x;
}

}  // namespace

torch::Tensor post_norm(const Block& b, torch::Tensor x, Pass& pass) {
  x = (*b.attention_norm)(pass.kept(x) + attended(b, x, pass), pass);
  return (*b.feed_forward_norm)(x + fed_forward(b, x, pass), pass);
}

torch::Tensor pre_norm(const Block& b, torch::Tensor x, Pass& pass) {
  const auto residual = pass.kept(x);
  const auto middle = residual + attended(b, (*b.attention_norm)(x, pass), pass);
  return middle + fed_forward(b, (*b.feed_forward_norm)(b.is_parallel ? residual : middle, pass), pass);
}

torch::Tensor run_blocks(Placement placement, const std::vector<Block>& blocks, torch::Tensor x,
                         const torch::Tensor& read, Pass& pass) {
  int depth = 0;
  for (const auto& block : blocks) {
    x = observed(depth++, x, pass);
    if (&block == &blocks.back() && !pass.computes_all_tokens()) pass.kept_tokens = read;
    x = placement == Placement::PostNorm ? post_norm(block, x, pass) : pre_norm(block, x, pass);
  }
  pass.kept_tokens.reset();
  return observed(depth, x, pass);
}

Sublayer::Sublayer(Function f, std::vector<Linear> readers_of_x, const std::vector<Linear>& outputs)
    : function(std::move(f)), readers(std::move(readers_of_x)) {
  for (const auto& map : readers)
    if (map.bias) biases.inputs.push_back(map.bias);
  for (const auto& map : outputs)
    if (map.bias) biases.outputs.push_back(map.bias);
}

Sublayer self_attention(Linear query, Linear key, Linear value, Linear output, AttentionShape shape) {
  const auto attention = [=](const torch::Tensor& x, Pass& pass) {
    return output(attend(query(x), key(x), value(x), shape, pass));
  };
  return {attention, {query, key, value}, {output}};
}

Sublayer fused_self_attention(Linear query_key_value, Linear output, AttentionShape shape) {
  const auto attention = [=](const torch::Tensor& x, Pass& pass) {
    const auto parts = query_key_value(x).chunk(3, -1);
    return output(attend(parts[0], parts[1], parts[2], shape, pass));
  };
  return {attention, {query_key_value}, {output}};
}

Sublayer feed_forward(Linear up, Linear down, torch::Tensor (*activation)(const torch::Tensor&)) {
  const auto two_layers = [=](const torch::Tensor& x, Pass& pass) {
    auto hidden = up(x);
    if (pass.observer != nullptr) hidden = pass.observer->feed_forward_hidden(x, hidden);
    return down(activation(hidden));
  };
  return {two_layers, {up}, {down}};
}

}  // namespace normscope
