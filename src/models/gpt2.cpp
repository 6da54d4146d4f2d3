// GPT-2: Pre-LN decoder, causal attention, last-token pooling.
// Source: transformers models/gpt2/modeling_gpt2.py, GPT2ForSequenceClassification.
#include <cmath>

#include "models/decoder.h"
#include "nn/activation.h"

namespace normscope {

Network gpt2(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  config.only("add_cross_attention", false);
  const int64_t D = config.size("n_embd"), L = config.size("n_layer");
  const int64_t F = config.size("n_inner", 4 * D);
  const double eps = config.number("layer_norm_epsilon", 1e-5), range = root.initializer_range();
  const double residual_range = range / std::sqrt(2.0 * static_cast<double>(L));  // GPT2PreTrainedModel's c_proj rule

  const auto body = root / "transformer";
  Transformer parts;
  parts.placement = *options.placement;
  parts.pool = last_places;
  parts.embed =
      gpt_embeddings(body, config.size("vocab_size"), config.size("n_positions"), D, config.dropout("embd_pdrop", 0.1));
  for (int i = 0; i < L; ++i) {
    const auto s = body.block("h", i);
    auto shape = attention_shape(config, "n_embd", "n_head", config.dropout("attn_pdrop", 0.1));
    if (!config.flag("scale_attn_weights", true)) shape.scale = 1;
    if (config.flag("scale_attn_by_inverse_layer_idx", false)) shape.scale /= i + 1;
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
  return transformer_network(std::move(parts));
}

}  // namespace normscope
