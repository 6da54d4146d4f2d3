// What the causal classifiers share: blocks over embedded tokens, the last token of each row, a linear map.
#pragma once
#include "models/heads.h"

namespace normscope {

struct Decoder {
  std::function<torch::Tensor(const Inputs& in, Pass& pass)> embed;
  std::vector<Block> blocks;
  Placement placement = Placement::PreNorm;
  NormPtr final_norm;  // of Pre-LN, else null
  HeadFunction head;   // of the last token
  int64_t max_tokens = 0;
};
Network decoder_network(Decoder parts);

// "score": linear without bias, in transformers' classifier and in the study alike; they draw it differently.
HeadFunction score_head(const Scope& root, int64_t in, const BuildOptions& options);

}  // namespace normscope
