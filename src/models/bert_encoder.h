// The embeddings and encoder layers that BERT, RoBERTa, ELECTRA, Longformer and RoBERTa-PreLN share.
#pragma once
#include "models/model.h"

namespace normscope {

// ids, positions: [N] -> [N, width]
using Embed =
    std::function<torch::Tensor(const torch::Tensor& input_ids, const torch::Tensor& positions, Pass& pass)>;

// word + position + token type 0, norm, dropout. Source: BertEmbeddings.
Embed bert_embeddings(const ConfigReader& config, const Scope& scope, int64_t width);

struct BertBlockNames {
  std::string attention_norm = "attention.output.LayerNorm";
  std::string feed_forward_norm = "output.LayerNorm";
};

AttentionShape bert_attention_shape(const ConfigReader& config);
// One layer at `scope`, with the attention given. Source: BertLayer.
Block bert_block(const ConfigReader& config, const Scope& scope, Sublayer attention,
                 const BertBlockNames& names = {});
// query, key, value, output.dense of one layer. Source: BertSelfAttention, BertSelfOutput.
Sublayer bert_attention(const ConfigReader& config, const Scope& attention, const AttentionShape& shape);
std::vector<Block> bert_encoder(const ConfigReader& config, const Scope& body,
                                const BertBlockNames& names = {});

}  // namespace normscope
