// Longformer: RoBERTa whose tokens see a window of neighbours; transformers' classifier adds global attention on the
// first token, the study's none. Source: transformers models/longformer/modeling_longformer.py.
#include "core/error.h"
#include "models/bert_encoder.h"
#include "nn/activation.h"

namespace normscope {
namespace {

// Keys on either side that a token sees: half of the layer's window.
int64_t reach(const ConfigReader& config, int layer) {
  if (!config.has("attention_window")) return 256;
  const auto& windows = config.at("attention_window");
  const bool is_list = windows.is_array();
  require(!is_list || static_cast<int64_t>(windows.size()) == config.size("num_hidden_layers"), ErrorKind::Checkpoint,
          "config.json: 'attention_window' has ", windows.size(), " entries, expected one for each of ",
          config.size("num_hidden_layers"), " layers");
  const auto& window = is_list ? windows[static_cast<size_t>(layer)] : windows;
  require(window.is_number_integer() && window.get<int64_t>() > 0 && window.get<int64_t>() % 2 == 0,
          ErrorKind::Checkpoint, "config.json: 'attention_window' is ", window.dump(),
          ", expected a positive even number");
  return window.get<int64_t>() / 2;
}

Sublayer windowed_attention(const ConfigReader& config, const Scope& attention, int layer, bool first_is_global) {
  const int64_t D = config.size("hidden_size");
  const auto self = attention / "self";
  auto shape = bert_attention_shape(config);
  shape.pattern.window = reach(config, layer);
  shape.pattern.first_is_global = first_is_global;
  const auto query = self.linear("query", D, D), key = self.linear("key", D, D), value = self.linear("value", D, D);
  const auto global_query = self.linear("query_global", D, D), global_key = self.linear("key_global", D, D),
             global_value = self.linear("value_global", D, D);
  const auto output = attention.linear("output.dense", D, D);
  const auto attention_of = [=](const torch::Tensor& x, Pass& pass) {
    const auto mixed = [&] { return attend(query(x), key(x), value(x), shape, pass); };
    if (!first_is_global) return output(mixed());
    const auto first = first_places(pass.rows, x.device());
    const auto global =
        attend_once(global_query(x.index_select(0, first)), global_key(x), global_value(x), shape, pass);
    // The tokens that are kept, where not all are, are the ones that the classifier reads: the first.
    return output(pass.kept_tokens.defined() ? global : mixed().index_copy(0, first, global));
  };
  return {attention_of, {query, key, value, global_query, global_key, global_value}, {output}};
}

}  // namespace

Network longformer(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  const auto body = root / "longformer";
  const int64_t D = config.size("hidden_size");
  auto parts = bert_parts(config, body, options, D, roberta_first_position(config));
  for (int i = 0; i < config.size("num_hidden_layers"); ++i) {
    const auto layer = body.block("encoder.layer", i);
    parts.blocks.push_back(bert_block(
        config, layer, windowed_attention(config, layer / "attention", i, options.head == Head::Transformers)));
  }
  parts.final_norm = bert_final_norm(config, body, parts.placement);
  parts.head =
      options.head == Head::Paper
          ? paper_pooled_head(root, body, D, options.num_labels)
          : two_layer_head(root, D, options.num_labels, config.dropout("hidden_dropout_prob", 0.1), activation("tanh"));
  return transformer_network(std::move(parts));
}

}  // namespace normscope
