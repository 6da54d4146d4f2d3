// RoBERTa: BERT with positions counted from the padding row and a two-layer head.
// Source: transformers models/roberta/modeling_roberta.py, RobertaForSequenceClassification.
#include "models/bert_encoder.h"
#include "nn/activation.h"

namespace normscope {

Network roberta(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  const auto body = root / "roberta";
  const int64_t D = config.size("hidden_size");
  auto parts = bert_parts(config, body, options, D, roberta_first_position(config));
  parts.blocks = bert_encoder(config, body);
  parts.final_norm = bert_final_norm(config, body, parts.placement);
  const double p = config.dropout("classifier_dropout", config.dropout("hidden_dropout_prob", 0.1));
  parts.head = options.head == Head::Paper ? paper_pooled_head(root, body, D, options.num_labels)
                                           : two_layer_head(root, D, options.num_labels, p, activation("tanh"));
  return transformer_network(std::move(parts));
}

}  // namespace normscope
