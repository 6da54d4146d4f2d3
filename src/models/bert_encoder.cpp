#include "models/bert_encoder.h"

#include "core/error.h"
#include "nn/activation.h"
#include "nn/embedding.h"

namespace normscope {

namespace {

// word + position + token type 0, norm, dropout; the position of token t is row `first_position` + t of its table.
// Source: BertEmbeddings, RobertaEmbeddings.
Embed embeddings(const ConfigReader& config, const Scope& scope, int64_t width, int64_t first_position) {
  config.only("position_embedding_type", "absolute");
  config.only("is_decoder", false);
  config.only("add_cross_attention", false);
  const auto words =
      scope.table("word_embeddings", config.size("vocab_size"), width, config.integer("pad_token_id", 0));
  const auto places = scope.table("position_embeddings", config.size("max_position_embeddings"), width,
                                  first_position - 1);  // the padding row, where there is one, starts at zero
  // Every row of the study is one segment, so only row 0 is read: not a lookup, hence an ordinary parameter.
  const auto types = scope.parameter("token_type_embeddings.weight", {config.size("type_vocab_size"), width},
                                     Init::normal(scope.initializer_range()));
  const auto norm = scope.norm("LayerNorm", width, config.number("layer_norm_eps", 1e-12), NormRole::Embedding);
  const double p = config.dropout("hidden_dropout_prob", 0.1);
  return [=](const Inputs& in, Pass& pass) {
    const auto places_of = first_position == 0 ? in.positions : in.positions + first_position;
    const auto x = look_up(words, in.input_ids) + types->value[0] + look_up(places, places_of);
    return dropout((*norm)(x, pass), p, pass);
  };
}

}  // namespace

int64_t roberta_first_position(const ConfigReader& config) {
  const int64_t padding = config.integer("pad_token_id", 1);
  require(padding >= 0 && padding + 1 < config.size("max_position_embeddings"), ErrorKind::Checkpoint,
          "config.json: pad_token_id ", padding, " leaves no position for a token");
  return padding + 1;
}

AttentionShape bert_attention_shape(const ConfigReader& config) {
  return attention_shape(config, "hidden_size", "num_attention_heads",
                         config.dropout("attention_probs_dropout_prob", 0.1));
}

Sublayer bert_attention(const ConfigReader& config, const Scope& attention, const AttentionShape& shape) {
  const int64_t D = config.size("hidden_size");
  return self_attention(attention.linear("self.query", D, D), attention.linear("self.key", D, D),
                        attention.linear("self.value", D, D), attention.linear("output.dense", D, D), shape);
}

Block bert_block(const ConfigReader& config, const Scope& scope, Sublayer attention, const BertBlockNames& names,
                 double default_eps, double default_dropout) {
  const int64_t D = config.size("hidden_size"), F = config.size("intermediate_size");
  const double eps = config.number("layer_norm_eps", default_eps),
               p = config.dropout("hidden_dropout_prob", default_dropout);
  Block block;
  block.attention = std::move(attention);
  block.attention_norm = scope.norm(names.attention_norm, D, eps, NormRole::Attention);
  block.feed_forward = feed_forward(scope.linear("intermediate.dense", D, F), scope.linear("output.dense", F, D),
                                    activation(config.text("hidden_act", "gelu")));
  block.feed_forward_norm = scope.norm(names.feed_forward_norm, D, eps, NormRole::FeedForward);
  block.attention_dropout = block.feed_forward_dropout = p;
  return block;
}

std::vector<Block> bert_encoder(const ConfigReader& config, const Scope& body, const BertBlockNames& names) {
  const auto shape = bert_attention_shape(config);
  std::vector<Block> blocks;
  for (int i = 0; i < config.size("num_hidden_layers"); ++i) {
    const auto layer = body.block("encoder.layer", i);
    blocks.push_back(bert_block(config, layer, bert_attention(config, layer / "attention", shape), names));
  }
  return blocks;
}

Transformer bert_parts(const ConfigReader& config, const Scope& body, const BuildOptions& options,
                       int64_t embedding_size, int64_t first_position) {
  Transformer parts;
  parts.placement = *options.placement;
  parts.embed = embeddings(config, body / "embeddings", embedding_size, first_position);
  parts.max_tokens = config.size("max_position_embeddings") - first_position;
  return parts;
}

NormPtr bert_final_norm(const ConfigReader& config, const Scope& body, Placement wired, const std::string& name) {
  return final_norm(body, name, config.size("hidden_size"), config.number("layer_norm_eps", 1e-12), wired);
}

}  // namespace normscope
