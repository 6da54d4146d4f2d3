// GPT-2: Pre-LN decoder, causal attention, last-token pooling.
// Source: transformers models/gpt2/modeling_gpt2.py, GPT2ForSequenceClassification.
#include <cmath>

#include "core/error.h"
#include "models/decoder.h"
#include "nn/activation.h"
#include "nn/embedding.h"

namespace normscope {

Network gpt2(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  config.only("add_cross_attention", false);
  const int64_t D = config.size("n_embd"), H = config.size("n_head"), L = config.size("n_layer");
  const int64_t F = config.size("n_inner", 4 * D);
  require(D % H == 0, ErrorKind::Checkpoint, "config.json: n_embd ", D, " is not a multiple of n_head ", H);
  const double eps = config.number("layer_norm_epsilon", 1e-5), range = root.initializer_range();
  const double residual_range = range / std::sqrt(2.0 * static_cast<double>(L));  // GPT2PreTrainedModel's c_proj rule

  const auto body = root / "transformer";
  const auto words = body.table("wte", config.size("vocab_size"), D);
  const auto places = body.table("wpe", config.size("n_positions"), D);
  Decoder parts;
  parts.placement = *options.placement;
  parts.embed = [=, p = config.dropout("embd_pdrop", 0.1)](const Inputs& in, Pass& pass) {
    return dropout(look_up(words, in.input_ids) + look_up(places, in.positions), p, pass);
  };
  for (int i = 0; i < L; ++i) {
    const auto s = body.block("h", i);
    AttentionShape shape;
    shape.num_heads = shape.num_key_value_heads = H;
    shape.scale = config.flag("scale_attn_weights", true) ? 1 / std::sqrt(static_cast<double>(D / H)) : 1.0;
    if (config.flag("scale_attn_by_inverse_layer_idx", false)) shape.scale /= i + 1;
    shape.dropout = config.dropout("attn_pdrop", 0.1);
    shape.pattern.causal = true;
    Block block;
    block.attention_norm = s.norm("ln_1", D, eps, NormRole::Attention);
    block.attention = fused_self_attention(s.conv1d("attn.c_attn", D, 3 * D, range),
                                           s.conv1d("attn.c_proj", D, D, residual_range), shape);
    block.feed_forward_norm = s.norm("ln_2", D, eps, NormRole::FeedForward);
    block.feed_forward = feed_forward(s.conv1d("mlp.c_fc", D, F, range), s.conv1d("mlp.c_proj", F, D, residual_range),
                                      activation(config.text("activation_function", "gelu_new")));
    block.attention_dropout = block.feed_forward_dropout = config.dropout("resid_pdrop", 0.1);
    parts.blocks.push_back(block);
  }
  parts.final_norm = final_norm(body, "ln_f", D, eps, parts.placement);
  parts.head = score_head(root, D, options);
  parts.max_tokens = config.size("n_positions");
  return decoder_network(std::move(parts));
}

}  // namespace normscope
