// The embeddings and encoder layers that BERT, RoBERTa, ELECTRA, Longformer and RoBERTa-PreLN share.
#pragma once
#include "models/transformer.h"

namespace normscope {

// RoBERTa and its kin count positions from the padding row: the first token takes the row after it.
int64_t roberta_first_position(const ConfigReader& config);

struct BertBlockNames {
  std::string attention_norm = "attention.output.LayerNorm";
  std::string feed_forward_norm = "output.LayerNorm";
};

AttentionShape bert_attention_shape(const ConfigReader& config);
// One layer at `scope`, with the attention given. Source: BertLayer.
Block bert_block(const ConfigReader& config, const Scope& scope, Sublayer attention, const BertBlockNames& names = {},
                 double default_eps = 1e-12, double default_dropout = 0.1);
// query, key, value, output.dense of one layer. Source: BertSelfAttention, BertSelfOutput.
Sublayer bert_attention(const ConfigReader& config, const Scope& attention, const AttentionShape& shape);
std::vector<Block> bert_encoder(const ConfigReader& config, const Scope& body, const BertBlockNames& names = {});

// Placement, embeddings and number of positions of BERT or its kin; blocks, final norm and head are still to come.
Transformer bert_parts(const ConfigReader& config, const Scope& body, const BuildOptions& options,
                       int64_t embedding_size, int64_t first_position = 0);
// The final norm where one is needed. `name` is the published one, or ours in a network that is published as Post-LN.
NormPtr bert_final_norm(const ConfigReader& config, const Scope& body, Placement wired,
                        const std::string& name = "encoder.LayerNorm");

}  // namespace normscope
