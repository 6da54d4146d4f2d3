// RoBERTa wired Pre-LN: each sublayer's norm at its input, one more after the last block.
// Source: transformers models/roberta_prelayernorm/modeling_roberta_prelayernorm.py.
#include "models/bert_encoder.h"
#include "nn/activation.h"

namespace normscope {

Network roberta_prelayernorm(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  const auto body = root / "roberta_prelayernorm";
  const int64_t D = config.size("hidden_size");
  auto parts = bert_parts(config, body, options, D, roberta_first_position(config));
  parts.blocks = bert_encoder(config, body, {"attention.LayerNorm", "intermediate.LayerNorm"});
  parts.final_norm = bert_final_norm(config, body, parts.placement, "LayerNorm");
  const double p = config.dropout("classifier_dropout", config.dropout("hidden_dropout_prob", 0.1));
  parts.head = two_layer_head(root, D, options.num_labels, p, activation("tanh"));
  return transformer_network(std::move(parts));
}

}  // namespace normscope
