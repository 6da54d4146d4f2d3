// What every text classifier is made of, and the one forward pass over it.
#pragma once
#include "models/heads.h"

namespace normscope {

// ids and positions: [N] -> [N, width]
using Embed = std::function<torch::Tensor(const Inputs& in, Pass& pass)>;

struct Transformer {
  Embed embed;
  std::vector<Block> blocks;
  Placement placement = Placement::PostNorm;
  NormPtr final_norm;  // of Pre-LN, else null
  // The token of each row that the head reads: first_places for encoders, last_places for decoders.
  torch::Tensor (*pool)(const PackedRows& rows, torch::Device device) = first_places;
  HeadFunction head;
  int64_t max_tokens = 0;
};
Network transformer_network(Transformer parts);

// Scaled by 1 / sqrt(head size); throws Error(Checkpoint) naming both keys when the heads do not divide the size.
AttentionShape attention_shape(const ConfigReader& config, const std::string& size_key, const std::string& heads_key,
                               double dropout);

}  // namespace normscope
