// The embeddings and encoder layers that BERT, RoBERTa, ELECTRA, Longformer and RoBERTa-PreLN share.
#pragma once
#include "models/heads.h"

namespace normscope {

// ids, positions: [N] -> [N, width]
using Embed = std::function<torch::Tensor(const torch::Tensor& input_ids, const torch::Tensor& positions, Pass& pass)>;

// word + position + token type 0, norm, dropout; the position of token t is row `first_position` + t of its table.
// Source: BertEmbeddings, RobertaEmbeddings.
Embed bert_embeddings(const ConfigReader& config, const Scope& scope, int64_t width, int64_t first_position = 0);

// RoBERTa and its kin count positions from the padding row: the first token takes the row after it.
int64_t roberta_first_position(const ConfigReader& config);

struct BertBlockNames {
  std::string attention_norm = "attention.output.LayerNorm";
  std::string feed_forward_norm = "output.LayerNorm";
};

AttentionShape bert_attention_shape(const ConfigReader& config);
// One layer at `scope`, with the attention given. Source: BertLayer.
Block bert_block(const ConfigReader& config, const Scope& scope, Sublayer attention, const BertBlockNames& names = {},
                 double default_eps = 1e-12);
// query, key, value, output.dense of one layer. Source: BertSelfAttention, BertSelfOutput.
Sublayer bert_attention(const ConfigReader& config, const Scope& attention, const AttentionShape& shape);
std::vector<Block> bert_encoder(const ConfigReader& config, const Scope& body, const BertBlockNames& names = {});

// What a sequence classifier of this family is made of besides its encoder.
struct BertFamily {
  Embed embed;
  std::vector<Block> blocks;
  Placement placement = Placement::PostNorm;
  NormPtr final_norm;  // of Pre-LN, else null
  HeadFunction head;   // of the first token
  int64_t max_tokens = 0;
};
Network bert_network(BertFamily parts);

}  // namespace normscope
