#include "models/decoder.h"

namespace normscope {

Network decoder_network(Decoder parts) {
  Network network;
  network.placement = parts.placement;
  network.num_hidden_layers = static_cast<int64_t>(parts.blocks.size());
  network.max_tokens = parts.max_tokens;
  network.forward = [parts = std::move(parts)](const Inputs& in, Pass& pass) {
    auto x = run_blocks(parts.placement, parts.blocks, parts.embed(in, pass), pass);
    if (parts.final_norm) x = (*parts.final_norm)(x, pass);
    return parts.head(last_tokens(x, pass.rows), pass);
  };
  return network;
}

HeadFunction score_head(const Scope& root, int64_t in, const BuildOptions& options) {
  if (options.head == Head::Paper) return paper_linear_head(root, "score", in, options.num_labels);
  const auto map = root.optional().linear("score", in, options.num_labels, false);
  return [=](const torch::Tensor& last, Pass&) { return map(last); };
}

}  // namespace normscope
