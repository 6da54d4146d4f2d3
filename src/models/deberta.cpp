// DeBERTa: Post-LN encoder whose attention adds content-to-position and position-to-content scores.
// Source: transformers models/deberta/modeling_deberta.py, DebertaForSequenceClassification.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/error.h"
#include "models/bert_encoder.h"
#include "nn/activation.h"
#include "nn/embedding.h"

namespace normscope {
namespace {

constexpr double kEps = 1e-7;  // what the config leaves out

struct PositionScores {
  bool content_to_position = false, position_to_content = false;
  int64_t count = 0;  // entries of pos_att_type, which the scale counts
};

// "c2p|p2c", a list of them, or nothing.
PositionScores position_scores(const ConfigReader& config) {
  std::vector<std::string> kinds;
  if (config.has("pos_att_type")) {
    const auto& value = config.at("pos_att_type");
    require(value.is_string() || value.is_array(), ErrorKind::Checkpoint, "config.json: 'pos_att_type' is ",
            value.dump(), ", expected a list or \"c2p|p2c\"");
    if (value.is_string()) {
      std::istringstream text(value.get<std::string>());
      for (std::string kind; std::getline(text, kind, '|');) {
        std::erase(kind, ' ');
        kinds.push_back(kind);
      }
    } else {
      for (const auto& kind : value) kinds.push_back(kind.is_string() ? kind.get<std::string>() : kind.dump());
    }
  }
  PositionScores scores;
  scores.count = static_cast<int64_t>(kinds.size());
  for (const auto& kind : kinds) {
    require(kind == "c2p" || kind == "p2c", ErrorKind::Checkpoint, "config.json: 'pos_att_type' names '", kind,
            "'; only c2p and p2c are supported");
    (kind == "c2p" ? scores.content_to_position : scores.position_to_content) = true;
  }
  return scores;
}

Embed embeddings(const ConfigReader& config, const Scope& scope, int64_t D) {
  const int64_t E = config.size("embedding_size", D), types = config.integer("type_vocab_size", 0);
  const auto words = scope.table("word_embeddings", config.size("vocab_size"), E, config.integer("pad_token_id", 0));
  const auto places = config.flag("position_biased_input", true)
                          ? scope.table("position_embeddings", config.size("max_position_embeddings"), E)
                          : nullptr;
  const auto type =
      types > 0 ? scope.parameter("token_type_embeddings.weight", {types, E}, Init::normal(scope.initializer_range()))
                : nullptr;
  const auto widen = E != D ? std::optional(scope.linear("embed_proj", E, D, false)) : std::nullopt;
  const auto norm = scope.norm("LayerNorm", D, config.number("layer_norm_eps", kEps), NormRole::Embedding);
  const double p = config.dropout("hidden_dropout_prob", 0.1);
  return [=](const Inputs& in, Pass& pass) {
    auto x = look_up(words, in.input_ids);
    if (places) x = x + look_up(places, in.positions);
    if (type) x = x + type->value[0];
    if (widen) x = (*widen)(x);
    return dropout((*norm)(x, pass), p, pass);
  };
}

// One table of relative positions for all layers: row `reach` + i - j is how key j lies from query i.
struct RelativePositions {
  ParameterPtr table;  // [2 * reach, D]; null when attention is by content only
  int64_t reach = 0;   // distances beyond it count as it
};

class Attention {
 public:
  Attention(const ConfigReader& config, const Scope& attention, const RelativePositions& relative)
      : relative_(relative),
        kinds_(position_scores(config)),
        shape_(bert_attention_shape(config)),
        p_(config.dropout("hidden_dropout_prob", 0.1)) {
    const int64_t D = config.size("hidden_size");
    const auto self = attention / "self";
    query_key_value_ = self.linear("in_proj", D, 3 * D, false);
    query_bias_ = self.parameter("q_bias", {D}, Init::zeros());
    value_bias_ = self.parameter("v_bias", {D}, Init::zeros());
    if (relative_.table && kinds_.content_to_position) position_key_ = self.linear("pos_proj", D, D, false);
    if (relative_.table && kinds_.position_to_content) position_query_ = self.linear("pos_q_proj", D, D);
    output_ = attention.linear("output.dense", D, D);
    shape_.scale = 1 / std::sqrt(static_cast<double>(D / shape_.num_heads * (1 + kinds_.count)));
  }

  // This attention with what interventions reach of it.
  Sublayer sublayer() const {
    Sublayer result(*this, {query_key_value_}, {output_});
    result.biases.inputs = {query_bias_, value_bias_};
    if (position_query_.bias) result.biases.inputs.push_back(position_query_.bias);
    return result;
  }

  torch::Tensor operator()(const torch::Tensor& x, Pass& pass) const {
    const int64_t N = x.size(0), H = shape_.num_heads, K = x.size(1) / H;
    // The projection holds query, key and value of one head after the other.
    const auto parts = query_key_value_(x).view({N, H, 3, K}).unbind(2);
    const auto query = parts[0].reshape({N, H * K}) + query_bias_->value;
    const auto key = parts[1].reshape({N, H * K});
    const auto value = parts[2].reshape({N, H * K}) + value_bias_->value;
    return output_(attend(query, key, value, shape_, pass, bias(query, key, pass)));
  }

 private:
  ScoreBias bias(const torch::Tensor& query, const torch::Tensor& key, Pass& pass) const {
    if (!relative_.table || kinds_.count == 0) return nullptr;
    int64_t longest = 1;
    for (int64_t row = 0; row < pass.rows.count(); ++row) longest = std::max(longest, pass.rows.length(row));
    const int64_t span = std::min(longest, relative_.reach), H = shape_.num_heads, K = query.size(1) / H;
    const auto near = dropout(relative_.table->value.narrow(0, relative_.reach - span, 2 * span), p_, pass);
    const auto heads = [H, K](const torch::Tensor& t) { return t.view({-1, H, K}).transpose(0, 1); };  // [H, *, K]
    torch::Tensor keys, queries;  // [H, K, 2 * span]
    if (kinds_.content_to_position) keys = heads(position_key_(near)).transpose(1, 2) * shape_.scale;
    if (kinds_.position_to_content) queries = heads(position_query_(near)).transpose(1, 2) * shape_.scale;
    return [=, rows = pass.rows](int64_t row) {
      const int64_t begin = rows.offsets[row], T = rows.length(row);
      const auto index = at::arange(T, torch::TensorOptions(torch::kInt64).device(query.device()));
      const auto place = (index.unsqueeze(1) - index.unsqueeze(0) + span).clamp(0, 2 * span - 1).expand({H, T, T});
      torch::Tensor scores;  // [H, T, T]
      if (keys.defined()) scores = heads(query.narrow(0, begin, T)).matmul(keys).gather(2, place);
      if (queries.defined()) {
        const auto by_key = heads(key.narrow(0, begin, T)).matmul(queries);  // [H, key, place]
        const auto added = by_key.gather(2, place.transpose(1, 2)).transpose(1, 2);
        scores = scores.defined() ? scores + added : added;
      }
      return scores;
    };
  }

  RelativePositions relative_;
  PositionScores kinds_;
  AttentionShape shape_;
  double p_;
  Linear query_key_value_, position_key_, position_query_, output_;
  ParameterPtr query_bias_, value_bias_;
};

RelativePositions relative_positions(const ConfigReader& config, const Scope& encoder, int64_t D) {
  if (!config.flag("relative_attention", false)) return {};
  const int64_t given = config.integer("max_relative_positions", -1);
  const int64_t reach = given < 1 ? config.size("max_position_embeddings") : given;
  return {encoder.parameter("rel_embeddings.weight", {2 * reach, D}, Init::normal(encoder.initializer_range())), reach};
}

}  // namespace

Network deberta(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  config.only("talking_head", false);
  const auto body = root / "deberta";
  const int64_t D = config.size("hidden_size");
  const double p = config.dropout("hidden_dropout_prob", 0.1), eps = config.number("layer_norm_eps", kEps);
  Transformer parts;
  parts.placement = *options.placement;
  parts.embed = embeddings(config, body / "embeddings", D);
  const auto relative = relative_positions(config, body / "encoder", D);
  for (int i = 0; i < config.size("num_hidden_layers"); ++i) {
    const auto layer = body.block("encoder.layer", i);
    const Attention attention(config, layer / "attention", relative);
    parts.blocks.push_back(bert_block(config, layer, attention.sublayer(), {}, eps));
  }
  parts.final_norm = final_norm(body, "encoder.LayerNorm", D, eps, parts.placement);
  if (config.flag("position_biased_input", true)) parts.max_tokens = config.size("max_position_embeddings");
  const auto pooler = root.optional().linear("pooler.dense", D, D);
  const auto bend = activation(config.text("pooler_hidden_act", "gelu"));
  const double before = config.dropout("pooler_dropout", 0);
  const auto head = linear_head(root, "classifier", D, options.num_labels, config.dropout("cls_dropout", p));
  parts.head = [=](const torch::Tensor& first, Pass& pass) {
    return head(bend(pooler(dropout(first, before, pass))), pass);
  };
  return transformer_network(std::move(parts));
}

}  // namespace normscope
