// Qwen2: Pre-LN decoder with RMSNorm, rotary positions, grouped key/value heads and a gated feed-forward layer.
// Source: transformers models/qwen2/modeling_qwen2.py, Qwen2ForSequenceClassification.
#include <cmath>

#include "core/error.h"
#include "models/decoder.h"
#include "nn/activation.h"
#include "nn/embedding.h"
#include "nn/rotary.h"

namespace normscope {
namespace {

// The base of the rotary angles, which older files give at the top level.
double rotary_base(const ConfigReader& config) {
  config.only("rope_scaling", nullptr);
  if (!config.has("rope_parameters")) return config.number("rope_theta", 10000.0);
  const ConfigReader rope(config.at("rope_parameters"));
  rope.only("rope_type", "default");
  return rope.number("rope_theta", 10000.0);
}

// Keys before a token that layer i sees; 0: all.
int64_t window(const ConfigReader& config, int i) {
  if (!config.flag("use_sliding_window", false) || !config.has("sliding_window")) return 0;
  bool slides = i >= config.integer("max_window_layers", 28);
  if (config.has("layer_types")) {
    const auto& types = config.at("layer_types");
    require(types.is_array() && i < std::ssize(types), ErrorKind::Checkpoint,
            "config.json: 'layer_types' needs one entry a layer");
    slides = types[static_cast<size_t>(i)] == "sliding_attention";
  }
  return slides ? config.size("sliding_window") : 0;
}

struct Shape {
  int64_t hidden, heads, key_value_heads, head_size;
};

Shape shape_of(const ConfigReader& config) {
  Shape s{config.size("hidden_size"), config.size("num_attention_heads"), 0, 0};
  s.key_value_heads = config.size("num_key_value_heads", s.heads);
  require(s.heads % s.key_value_heads == 0, ErrorKind::Checkpoint, "config.json: num_attention_heads ", s.heads,
          " is not a multiple of num_key_value_heads ", s.key_value_heads);
  s.head_size = config.size("head_dim", s.hidden / s.heads);
  require(s.head_size % 2 == 0, ErrorKind::Checkpoint, "config.json: a head size of ", s.head_size,
          " cannot carry rotary positions, expected an even number");
  return s;
}

Sublayer rotary_attention(const ConfigReader& config, const Scope& scope, int layer,
                          const std::shared_ptr<Rotary>& rotary) {
  const auto s = shape_of(config);
  AttentionShape shape;
  shape.num_heads = s.heads;
  shape.num_key_value_heads = s.key_value_heads;
  shape.scale = 1 / std::sqrt(static_cast<double>(s.head_size));
  shape.dropout = config.dropout("attention_dropout", 0);
  shape.pattern.causal = true;
  shape.pattern.window = window(config, layer);
  const auto query = scope.linear("q_proj", s.hidden, s.heads * s.head_size);
  const auto key = scope.linear("k_proj", s.hidden, s.key_value_heads * s.head_size);
  const auto value = scope.linear("v_proj", s.hidden, s.key_value_heads * s.head_size);
  const auto output = scope.linear("o_proj", s.heads * s.head_size, s.hidden, false);
  const auto attention = [=](const torch::Tensor& x, Pass& pass) {
    return output(attend(rotary->turn(query(x)), rotary->turn(key(x)), value(x), shape, pass));
  };
  return {attention, {query, key, value}, {output}};
}

Sublayer gated_feed_forward(const ConfigReader& config, const Scope& scope) {
  const int64_t D = config.size("hidden_size"), F = config.size("intermediate_size");
  const auto gate = scope.linear("gate_proj", D, F, false), up = scope.linear("up_proj", D, F, false),
             down = scope.linear("down_proj", F, D, false);
  const auto bend = activation(config.text("hidden_act", "silu"));
  const auto gated = [=](const torch::Tensor& x, Pass& pass) {
    auto hidden = gate(x);
    if (pass.observer != nullptr) hidden = pass.observer->feed_forward_hidden(x, hidden);
    return down(bend(hidden) * up(x));
  };
  return {gated, {gate, up}, {down}};
}

}  // namespace

Network qwen2(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  const auto body = root / "model";
  const auto s = shape_of(config);
  const double eps = config.number("rms_norm_eps", 1e-6);
  const auto rotary = std::make_shared<Rotary>(s.head_size, s.head_size, rotary_base(config));
  const auto words =
      body.table("embed_tokens", config.size("vocab_size"), s.hidden, config.integer("pad_token_id", -1));
  Transformer parts;
  parts.placement = *options.placement;
  parts.pool = last_places;
  parts.embed = [=](const Inputs& in, Pass& pass) {
    const auto x = look_up(words, in.input_ids);
    rotary->set_positions(in.positions, x.options(), pass);
    return x;
  };
  for (int i = 0; i < config.size("num_hidden_layers"); ++i) {
    const auto layer = body.block("layers", i);
    Block block;
    block.attention_norm = layer.norm("input_layernorm", s.hidden, eps, NormRole::Attention, NormKind::RMSNorm);
    block.attention = rotary_attention(config, layer / "self_attn", i, rotary);
    block.feed_forward_norm =
        layer.norm("post_attention_layernorm", s.hidden, eps, NormRole::FeedForward, NormKind::RMSNorm);
    block.feed_forward = gated_feed_forward(config, layer / "mlp");
    parts.blocks.push_back(block);
  }
  parts.final_norm = final_norm(body, "norm", s.hidden, eps, parts.placement, NormKind::RMSNorm);
  parts.head = score_head(root, s.hidden, options);
  parts.max_tokens = config.size("max_position_embeddings", 32768);
  return transformer_network(std::move(parts));
}

}  // namespace normscope
