// GPT-NeoX (Pythia): Pre-LN decoder with rotary positions on part of each head; attention and feed-forward layer read
// the same input when `use_parallel_residual` says so.
// Source: transformers models/gpt_neox/modeling_gpt_neox.py, GPTNeoXForSequenceClassification.
#include "core/error.h"
#include "models/decoder.h"
#include "nn/activation.h"
#include "nn/embedding.h"
#include "nn/rotary.h"

namespace normscope {
namespace {

// Base of the angles and the share of each head that turns; older files give both at the top level.
std::pair<double, double> rotary_settings(const ConfigReader& config) {
  config.only("rope_scaling", nullptr);
  const double base = config.number("rotary_emb_base", 10000.0), share = config.number("rotary_pct", 0.25);
  if (!config.has("rope_parameters")) return {base, share};
  const ConfigReader rope(config.at("rope_parameters"));
  rope.only("rope_type", "default");
  return {rope.number("rope_theta", base), rope.number("partial_rotary_factor", share)};
}

std::shared_ptr<Rotary> make_rotary(const ConfigReader& config, int64_t head_size) {
  const auto [base, share] = rotary_settings(config);
  const auto turned = static_cast<int64_t>(static_cast<double>(head_size) * share);
  require(turned > 0 && turned <= head_size && turned % 2 == 0, ErrorKind::Checkpoint, "config.json: ", share,
          " of a head of ", head_size, " are ", turned, " rotary columns, expected an even number of them");
  return std::make_shared<Rotary>(head_size, turned, base);
}

// The projection holds query, key and value of each head side by side.
Sublayer rotary_attention(const ConfigReader& config, const Scope& scope, const std::shared_ptr<Rotary>& rotary) {
  const int64_t D = config.size("hidden_size"), H = config.size("num_attention_heads"), K = D / H;
  const bool has_bias = config.flag("attention_bias", true);
  auto shape = attention_shape(config, "hidden_size", "num_attention_heads", config.dropout("attention_dropout", 0));
  shape.pattern.causal = true;
  const auto project = scope.linear("query_key_value", D, 3 * D, has_bias),
             output = scope.linear("dense", D, D, has_bias);
  const auto attention = [=](const torch::Tensor& x, Pass& pass) {
    const auto heads = project(x).view({x.size(0), H, 3, K});
    const auto part = [&](int64_t i) { return heads.select(2, i).reshape({x.size(0), D}); };
    return output(attend(rotary->turn(part(0)), rotary->turn(part(1)), part(2), shape, pass));
  };
  return {attention, {project}, {output}};
}

}  // namespace

Network gpt_neox(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  config.only("is_decoder", false);
  const auto body = root / "gpt_neox";
  const int64_t D = config.size("hidden_size"), H = config.size("num_attention_heads"),
                F = config.size("intermediate_size");
  require(D % H == 0, ErrorKind::Checkpoint, "config.json: hidden_size ", D,
          " is not a multiple of num_attention_heads ", H);
  const double eps = config.number("layer_norm_eps", 1e-5), p = config.dropout("hidden_dropout", 0);
  const auto rotary = make_rotary(config, D / H);
  const auto words = body.table("embed_in", config.size("vocab_size"), D);
  Transformer parts;
  parts.placement = *options.placement;
  parts.pool = last_places;
  parts.embed = [=](const Inputs& in, Pass& pass) {
    const auto x = look_up(words, in.input_ids);
    rotary->set_positions(in.positions, x.options(), pass);
    return dropout(x, p, pass);
  };
  for (int i = 0; i < config.size("num_hidden_layers"); ++i) {
    const auto layer = body.block("layers", i), mlp = layer / "mlp";
    Block block;
    block.attention_norm = layer.norm("input_layernorm", D, eps, NormRole::Attention);
    block.attention = rotary_attention(config, layer / "attention", rotary);
    block.feed_forward_norm = layer.norm("post_attention_layernorm", D, eps, NormRole::FeedForward);
    block.feed_forward = feed_forward(mlp.linear("dense_h_to_4h", D, F), mlp.linear("dense_4h_to_h", F, D),
                                      activation(config.text("hidden_act", "gelu")));
    block.attention_dropout = block.feed_forward_dropout = p;
    block.is_parallel = config.flag("use_parallel_residual", true);
    parts.blocks.push_back(block);
  }
  parts.final_norm = final_norm(body, "final_layer_norm", D, eps, parts.placement);
  parts.head = score_head(root, D, options);
  parts.max_tokens = config.size("max_position_embeddings", 2048);
  return transformer_network(std::move(parts));
}

}  // namespace normscope
