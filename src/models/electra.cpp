// ELECTRA's discriminator: BERT whose embeddings may be narrower than its layers, and a two-layer head.
// Source: transformers models/electra/modeling_electra.py, ElectraForSequenceClassification.
#include "models/bert_encoder.h"
#include "nn/activation.h"

namespace normscope {

Network electra(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  const auto body = root / "electra";
  const int64_t D = config.size("hidden_size"), E = config.size("embedding_size", 128);
  auto parts = bert_parts(config, body, options, E);
  if (E != D)
    parts.embed = [embed = std::move(parts.embed), widen = body.linear("embeddings_project", E, D)](
                      const Inputs& in, Pass& pass) { return widen(embed(in, pass)); };
  parts.blocks = bert_encoder(config, body);
  parts.final_norm = bert_final_norm(config, body, parts.placement);
  const double p = config.dropout("classifier_dropout", config.dropout("hidden_dropout_prob", 0.1));
  parts.head = two_layer_head(root, D, options.num_labels, p, activation("gelu"));
  return transformer_network(std::move(parts));
}

}  // namespace normscope
