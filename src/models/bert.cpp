// BERT: Post-LN encoder, learned positions, [CLS] pooling.
// Source: transformers models/bert/modeling_bert.py, BertForSequenceClassification.
#include "models/bert_encoder.h"

namespace normscope {

Network bert(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  const auto body = root / "bert";
  const int64_t D = config.size("hidden_size");
  auto parts = bert_parts(config, body, options, D);
  parts.blocks = bert_encoder(config, body);
  parts.final_norm = bert_final_norm(config, body, parts.placement);
  if (options.head == Head::Paper) {
    parts.head = paper_pooled_head(root, body, D, options.num_labels);
  } else {
    const auto pooler = body.optional().linear("pooler.dense", D, D);
    const double p = config.dropout("classifier_dropout", config.dropout("hidden_dropout_prob", 0.1));
    const auto head = linear_head(root, "classifier", D, options.num_labels, p);
    parts.head = [=](const torch::Tensor& first, Pass& pass) { return head(pooler(first).tanh(), pass); };
  }
  return transformer_network(std::move(parts));
}

}  // namespace normscope
