#include "models/transformer.h"

#include <cmath>

#include "core/error.h"

namespace normscope {

namespace {

// Tells every norm which sublayer is its own. In Post-LN the residual reads the norm's output too.
void connect_norms(const Transformer& parts) {
  const auto connect = [&](const NormPtr& norm, const Sublayer& sublayer) {
    norm->set_sublayer(parts.placement == Placement::PreNorm ? sublayer.readers : std::vector<Linear>(),
                       sublayer.biases);
  };
  for (const auto& block : parts.blocks) {
    connect(block.attention_norm, block.attention);
    connect(block.feed_forward_norm, block.feed_forward);
  }
  if (parts.final_norm) parts.final_norm->set_sublayer(parts.head.readers, {});
}

}  // namespace

Network transformer_network(Transformer parts) {
  connect_norms(parts);
  Network network;
  network.placement = parts.placement;
  network.num_hidden_layers = static_cast<int64_t>(parts.blocks.size());
  network.max_tokens = parts.max_tokens;
  network.forward = [parts = std::move(parts)](const Inputs& in, Pass& pass) {
    auto x = parts.embed(in, pass);  // may set the rows
    const auto read = parts.pool(pass.rows, x.device());
    x = run_blocks(parts.placement, parts.blocks, x, read, pass);
    if (parts.final_norm) x = (*parts.final_norm)(x, pass);
    if (pass.computes_all_tokens()) x = x.index_select(0, read);
    return parts.head(x, pass);
  };
  return network;
}

AttentionShape attention_shape(const ConfigReader& config, const std::string& size_key, const std::string& heads_key,
                               double dropout) {
  const int64_t D = config.size(size_key), H = config.size(heads_key);
  require(D % H == 0, ErrorKind::Checkpoint, "config.json: ", size_key, " ", D, " is not a multiple of ", heads_key,
          " ", H);
  AttentionShape shape;
  shape.num_heads = shape.num_key_value_heads = H;
  shape.scale = 1 / std::sqrt(static_cast<double>(D / H));
  shape.dropout = dropout;
  return shape;
}

}  // namespace normscope
