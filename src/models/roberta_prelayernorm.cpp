// RoBERTa wired Pre-LN: each sublayer's norm at its input, one more after the last block.
// Source: transformers models/roberta_prelayernorm/modeling_roberta_prelayernorm.py.
#include "models/bert_encoder.h"
#include "nn/activation.h"

namespace normscope {

Network roberta_prelayernorm(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  const auto body = root / "roberta_prelayernorm";
  const int64_t D = config.size("hidden_size"), first = roberta_first_position(config);
  BertFamily parts;
  parts.placement = *options.placement;
  parts.embed = bert_embeddings(config, body / "embeddings", D, first);
  parts.blocks = bert_encoder(config, body, {"attention.LayerNorm", "intermediate.LayerNorm"});
  parts.final_norm = final_norm(body, "LayerNorm", D, config.number("layer_norm_eps", 1e-12), parts.placement);
  parts.max_tokens = config.size("max_position_embeddings") - first;
  const double p = config.dropout("classifier_dropout", config.dropout("hidden_dropout_prob", 0.1));
  parts.head = two_layer_head(root, D, options.num_labels, p, activation("tanh"));
  return bert_network(std::move(parts));
}

}  // namespace normscope
