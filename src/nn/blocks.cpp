#include "nn/blocks.h"

namespace normscope {

torch::Tensor post_norm(const Block& b, torch::Tensor x, Pass& pass) {
  x = (*b.attention_norm)(x + dropout(b.attention(x, pass), b.attention_dropout, pass), pass);
  return (*b.feed_forward_norm)(x + dropout(b.feed_forward(x, pass), b.feed_forward_dropout, pass), pass);
}

torch::Tensor pre_norm(const Block& b, torch::Tensor x, Pass& pass) {
  const auto attended = x + dropout(b.attention((*b.attention_norm)(x, pass), pass), b.attention_dropout, pass);
  const auto& in = b.is_parallel ? x : attended;
  return attended + dropout(b.feed_forward((*b.feed_forward_norm)(in, pass), pass), b.feed_forward_dropout, pass);
}

torch::Tensor run_blocks(Placement placement, const std::vector<Block>& blocks, torch::Tensor x, Pass& pass) {
  for (const auto& block : blocks)
    x = placement == Placement::PostNorm ? post_norm(block, x, pass) : pre_norm(block, x, pass);
  return x;
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
  return {[=](const torch::Tensor& x, Pass&) { return down(activation(up(x))); }, {up}, {down}};
}

}  // namespace normscope
