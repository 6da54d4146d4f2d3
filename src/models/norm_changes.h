// How a model's norms differ from the published ones: written into a saved checkpoint's config.json and read back.
#pragma once
#include "models/model.h"

namespace normscope {

// {"norms": {name: {"type", "removed": ["weight", "bias"], "frozen": true}}, "removed_biases": [names]}: what is
// changed only. `removed_norms`, the names of the norms that lost all their parameters, is there for other readers.
nlohmann::json norm_changes(const Model& model);

// Makes the same changes to a freshly built model; the parameters that the published norm lacks come from the
// checkpoint, or stay as they start when that is null. `own` is config.json's "normscope". Throws Error(Checkpoint)
// when it does not fit the model.
void apply_norm_changes(Model& model, const nlohmann::json& own, const Checkpoint* checkpoint);

}  // namespace normscope
