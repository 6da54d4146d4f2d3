// DistilBERT: a Post-LN encoder without token types and pooler, under its own names.
// Source: transformers models/distilbert/modeling_distilbert.py, DistilBertForSequenceClassification.
#include "models/transformer.h"
#include "nn/activation.h"
#include "nn/embedding.h"

namespace normscope {
namespace {

constexpr double kEps = 1e-12;  // not in the config

Embed embeddings(const ConfigReader& config, const Scope& scope, int64_t D) {
  const auto words = scope.table("word_embeddings", config.size("vocab_size"), D, config.integer("pad_token_id", 0));
  const auto places = scope.table("position_embeddings", config.size("max_position_embeddings"), D);
  const auto norm = scope.norm("LayerNorm", D, kEps, NormRole::Embedding);
  const double p = config.dropout("dropout", 0.1);
  return [=](const Inputs& in, Pass& pass) {
    return dropout((*norm)(look_up(words, in.input_ids) + look_up(places, in.positions), pass), p, pass);
  };
}

Block block(const ConfigReader& config, const Scope& s, int64_t D) {
  const int64_t F = config.size("hidden_dim");
  const auto shape = attention_shape(config, "dim", "n_heads", config.dropout("attention_dropout", 0.1));
  Block block;
  block.attention = self_attention(s.linear("attention.q_lin", D, D), s.linear("attention.k_lin", D, D),
                                   s.linear("attention.v_lin", D, D), s.linear("attention.out_lin", D, D), shape);
  block.attention_norm = s.norm("sa_layer_norm", D, kEps, NormRole::Attention);
  block.feed_forward = feed_forward(s.linear("ffn.lin1", D, F), s.linear("ffn.lin2", F, D),
                                    activation(config.text("activation", "gelu")));
  block.feed_forward_norm = s.norm("output_layer_norm", D, kEps, NormRole::FeedForward);
  block.feed_forward_dropout = config.dropout("dropout", 0.1);  // the attention's output has none here
  return block;
}

}  // namespace

Network distilbert(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  const auto body = root / "distilbert";
  const int64_t D = config.size("dim");
  Transformer parts;
  parts.placement = *options.placement;
  parts.embed = embeddings(config, body / "embeddings", D);
  for (int i = 0; i < config.size("n_layers"); ++i)
    parts.blocks.push_back(block(config, body.block("transformer.layer", i), D));
  parts.final_norm = final_norm(body, "transformer.LayerNorm", D, kEps, parts.placement);
  parts.max_tokens = config.size("max_position_embeddings");
  if (options.head == Head::Paper) {
    parts.head = paper_linear_head(root, "classifier", D, options.num_labels);
  } else {
    const auto dense = root.optional().linear("pre_classifier", D, D);
    const auto head =
        linear_head(root, "classifier", D, options.num_labels, config.dropout("seq_classif_dropout", 0.2));
    parts.head = [=](const torch::Tensor& first, Pass& pass) { return head(dense(first).relu(), pass); };
  }
  return transformer_network(std::move(parts));
}

}  // namespace normscope
