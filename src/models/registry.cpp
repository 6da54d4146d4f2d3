// The architectures, one row each; the rest of the program knows them only through this table.
#include "core/error.h"
#include "models/model.h"

namespace normscope {

#define ARCHITECTURES(ROW)                                                                                                                         \
  ROW(bert, "bert", "bert", "BertForSequenceClassification", PostNorm, false, false)                                                               \
  ROW(roberta, "roberta", "roberta", "RobertaForSequenceClassification", PostNorm, false, false)                                                   \
  ROW(distilbert, "distilbert", "distilbert", "DistilBertForSequenceClassification", PostNorm, false, false)                                       \
  ROW(electra, "electra", "electra", "ElectraForSequenceClassification", PostNorm, false, false)                                                   \
  ROW(deberta, "deberta", "deberta", "DebertaForSequenceClassification", PostNorm, false, false)                                                   \
  ROW(longformer, "longformer", "longformer", "LongformerForSequenceClassification", PostNorm, false, false)                                       \
  ROW(roberta_prelayernorm, "roberta-prelayernorm", "roberta_prelayernorm", "RobertaPreLayerNormForSequenceClassification", PreNorm, false, false) \
  ROW(gpt2, "gpt2", "transformer", "GPT2ForSequenceClassification", PreNorm, true, false)                                                          \
  ROW(gpt_neo, "gpt_neo", "transformer", "GPTNeoForSequenceClassification", PreNorm, true, false)                                                  \
  ROW(qwen2, "qwen2", "model", "Qwen2ForSequenceClassification", PreNorm, true, false)

#define DECLARE(function, type, base, published_class, placement, pads_left, is_image) \
  Network function(const ConfigReader& config, const Scope& root, const BuildOptions& options);
ARCHITECTURES(DECLARE)
#undef DECLARE

std::span<const Architecture> architectures() {
#define ROW(function, type, base, published_class, placement, pads_left, is_image) \
  {type, base, published_class, &function, Placement::placement, pads_left, is_image},
  static constexpr Architecture kAll[] = {ARCHITECTURES(ROW)};
#undef ROW
  return kAll;
}

const Architecture& architecture(std::string_view model_type) {
  std::string known;
  for (const auto& candidate : architectures()) {
    if (candidate.model_type == model_type) return candidate;
    known += (known.empty() ? "" : ", ") + std::string(candidate.model_type);
  }
  throw Error(ErrorKind::Checkpoint,
              "config.json: model_type '" + std::string(model_type) + "' is not supported; known: " + known);
}

}  // namespace normscope
