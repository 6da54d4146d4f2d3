// GPT-Neo: Pre-LN decoder whose layers look at everything before or at a window, without scaling of the scores.
// Source: transformers models/gpt_neo/modeling_gpt_neo.py, GPTNeoForSequenceClassification.
#include "core/error.h"
#include "models/decoder.h"
#include "nn/activation.h"

namespace normscope {
namespace {

// One word a layer, from [[["global", "local"], 6]]; `attention_layers` holds the same expanded.
std::vector<std::string> attention_kinds(const ConfigReader& config, int64_t layers) {
  std::vector<std::string> kinds;
  const auto types = config.has("attention_types") ? config.at("attention_types")
                                                   : nlohmann::json::parse(R"([[["global", "local"], 12]])");
  try {
    for (const auto& item : types)
      for (int64_t repeat = 0; repeat < item.at(1).get<int64_t>() && std::ssize(kinds) <= layers; ++repeat)
        for (const auto& kind : item.at(0)) kinds.push_back(kind.get<std::string>());
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::Checkpoint, "config.json: 'attention_types' is " + types.dump() +
                                           ", expected a list like [[[\"global\", \"local\"], 6]]");
  }
  require(std::ssize(kinds) == layers, ErrorKind::Checkpoint, "config.json: 'attention_types' describes ", kinds.size(),
          " layers, expected ", layers);
  for (const auto& kind : kinds)
    require(kind == "global" || kind == "local", ErrorKind::Checkpoint, "config.json: 'attention_types' names '", kind,
            "'; only global and local are supported");
  return kinds;
}

}  // namespace

Network gpt_neo(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  const auto body = root / "transformer";
  const int64_t D = config.size("hidden_size"), L = config.size("num_layers");
  const int64_t F = config.size("intermediate_size", 4 * D);
  const double eps = config.number("layer_norm_epsilon", 1e-5), p = config.dropout("resid_dropout", 0);
  const auto kinds = attention_kinds(config, L);
  Transformer parts;
  parts.placement = *options.placement;
  parts.pool = last_places;
  parts.embed = gpt_embeddings(body, config.size("vocab_size"), config.size("max_position_embeddings"), D,
                               config.dropout("embed_dropout", 0));
  for (int i = 0; i < L; ++i) {
    const auto s = body.block("h", i);
    const auto a = s / "attn.attention";
    auto shape = attention_shape(config, "hidden_size", "num_heads", config.dropout("attention_dropout", 0));
    shape.scale = 1;
    shape.pattern.causal = true;
    if (kinds[static_cast<size_t>(i)] == "local") shape.pattern.window = config.size("window_size", 256);
    Block block;
    block.attention_norm = s.norm("ln_1", D, eps, NormRole::Attention);
    block.attention = self_attention(a.linear("q_proj", D, D, false), a.linear("k_proj", D, D, false),
                                     a.linear("v_proj", D, D, false), a.linear("out_proj", D, D), shape);
    block.feed_forward_norm = s.norm("ln_2", D, eps, NormRole::FeedForward);
    block.feed_forward = feed_forward(s.linear("mlp.c_fc", D, F), s.linear("mlp.c_proj", F, D),
                                      activation(config.text("activation_function", "gelu_new")));
    block.attention_dropout = block.feed_forward_dropout = p;
    parts.blocks.push_back(block);
  }
  parts.final_norm = final_norm(body, "ln_f", D, eps, parts.placement);
  parts.head = score_head(root, D, options);
  parts.max_tokens = config.size("max_position_embeddings");
  return transformer_network(std::move(parts));
}

}  // namespace normscope
