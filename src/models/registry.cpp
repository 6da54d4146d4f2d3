// The architectures, one row each; the rest of the program knows them only through this table.
#include "core/error.h"
#include "models/model.h"

namespace normscope {

// Builder, model_type, the encoder's prefix, the stem of transformers' class, published placement, kind.
// clang-format off
#define ARCHITECTURES(ROW)                                                                                           \
  ROW(bert, "bert", "bert", "Bert", PostNorm, Encoder)                                                               \
  ROW(roberta, "roberta", "roberta", "Roberta", PostNorm, Encoder)                                                   \
  ROW(distilbert, "distilbert", "distilbert", "DistilBert", PostNorm, Encoder)                                       \
  ROW(electra, "electra", "electra", "Electra", PostNorm, Encoder)                                                   \
  ROW(deberta, "deberta", "deberta", "Deberta", PostNorm, Encoder)                                                   \
  ROW(longformer, "longformer", "longformer", "Longformer", PostNorm, Encoder)                                       \
  ROW(roberta_prelayernorm, "roberta-prelayernorm", "roberta_prelayernorm", "RobertaPreLayerNorm", PreNorm, Encoder) \
  ROW(gpt2, "gpt2", "transformer", "GPT2", PreNorm, Decoder)                                                         \
  ROW(gpt_neo, "gpt_neo", "transformer", "GPTNeo", PreNorm, Decoder)                                                 \
  ROW(qwen2, "qwen2", "model", "Qwen2", PreNorm, Decoder)                                                            \
  ROW(gpt_neox, "gpt_neox", "gpt_neox", "GPTNeoX", PreNorm, Decoder)                                                 \
  ROW(vit, "vit", "vit", "ViT", PreNorm, Image)                                                                      \
  ROW(deit, "deit", "deit", "DeiT", PreNorm, Image)                                                                  \
  ROW(vit_msn, "vit_msn", "vit", "ViTMSN", PreNorm, Image)
// clang-format on

#define DECLARE(function, type, base, class_stem, placement, kind) \
  Network function(const ConfigReader& config, const Scope& root, const BuildOptions& options);
ARCHITECTURES(DECLARE)
#undef DECLARE

std::span<const Architecture> architectures() {
#define ROW(function, type, base, class_stem, placement, kind) \
  {type, base, class_stem, &function, Placement::placement, ModelKind::kind},
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
