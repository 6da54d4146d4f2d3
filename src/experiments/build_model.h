// The model of a recipe, its norms changed as asked, before the optimiser sees it.
#pragma once
#include "data/dataset.h"
#include "interventions/applied_intervention.h"
#include "models/model.h"
#include "recipe/recipe.h"

namespace normscope {

// All throw Error(Checkpoint) and Error(Usage).
Model load_recipe_model(const Recipe& recipe, const Checkpoint& checkpoint, const DataSplits& splits,
                        torch::ScalarType dtype, torch::Device device);

// The recipe's intervention on the norms that it selects of this model, not yet applied.
AppliedIntervention recipe_intervention(const Recipe& recipe, const Model& model);

// The model as the first step sees it: changed, unless the recipe changes it later.
Model build_model(const Recipe& recipe, const Checkpoint& checkpoint, const DataSplits& splits, torch::ScalarType dtype,
                  torch::Device device);

// As people call it: the checkpoint's folder, without "model" or "checkpoint" that many are called.
std::string model_name(const Recipe& recipe, const Checkpoint& checkpoint);

}  // namespace normscope
