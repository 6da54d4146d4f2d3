#include "models/transformer.h"

#include <cmath>

#include "core/error.h"

namespace normscope {

Network transformer_network(Transformer parts) {
  Network network;
  network.placement = parts.placement;
  network.num_hidden_layers = static_cast<int64_t>(parts.blocks.size());
  network.max_tokens = parts.max_tokens;
  network.forward = [parts = std::move(parts)](const Inputs& in, Pass& pass) {
    auto x = run_blocks(parts.placement, parts.blocks, parts.embed(in, pass), pass);
    if (parts.final_norm) x = (*parts.final_norm)(x, pass);
    return parts.head(parts.pool(x, pass.rows), pass);
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
