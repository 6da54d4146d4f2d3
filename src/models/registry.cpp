// The architectures, one row each; the rest of the program knows them only through this table.
#include "core/error.h"
#include "models/model.h"

namespace normscope {

#define ARCHITECTURES(ROW)                                                    \
  ROW(bert, "bert", "bert", "BertForSequenceClassification", false, false)    \
  ROW(gpt2, "gpt2", "transformer", "GPT2ForSequenceClassification", true, false)

#define DECLARE(function, type, base, published_class, pads_left, is_image) \
  Network function(const ConfigReader& config, const Scope& root, const BuildOptions& options);
ARCHITECTURES(DECLARE)
#undef DECLARE

std::span<const Architecture> architectures() {
#define ROW(function, type, base, published_class, pads_left, is_image) \
  {type, base, published_class, &function, pads_left, is_image},
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
