// BERT: Post-LN encoder, learned positions, [CLS] pooling.
// Source: transformers models/bert/modeling_bert.py, BertForSequenceClassification.
#include "models/bert_encoder.h"
#include "models/heads.h"

namespace normscope {

Network bert(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  const auto body = root / "bert";
  const int64_t D = config.size("hidden_size");
  const auto embed = bert_embeddings(config, body / "embeddings", D);
  const auto encoder = bert_encoder(config, body);
  const auto pooler = body.optional().linear("pooler.dense", D, D);
  const double p = config.dropout("classifier_dropout", config.dropout("hidden_dropout_prob", 0.1));
  const auto head = options.head == Head::Paper ? paper_linear_head(root, "classifier", D, options.num_labels)
                                                : linear_head(root, "classifier", D, options.num_labels, p);
  const auto placement = options.placement.value_or(Placement::PostNorm);
  Network network;
  network.placement = placement;
  network.num_hidden_layers = static_cast<int64_t>(encoder.size());
  network.max_tokens = config.size("max_position_embeddings");
  network.forward = [=](const Inputs& in, Pass& pass) {
    const auto x = run_blocks(placement, encoder, embed(in.input_ids, in.positions, pass), pass);
    return head(pooler(first_tokens(x, pass.rows)).tanh(), pass);
  };
  return network;
}

}  // namespace normscope
