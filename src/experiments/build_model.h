// The model of a recipe, its norms changed as asked, before the optimiser sees it.
#pragma once
#include "data/dataset.h"
#include "interventions/applied_intervention.h"
#include "models/model.h"
#include "recipe/recipe.h"

namespace normscope {

struct BuiltModel {
  Model model;                       // as the first step sees it
  AppliedIntervention intervention;  // the recipe's, applied unless norm.at_epoch has it come later
};

// Throws Error(Checkpoint) and Error(Usage).
BuiltModel build_model(const Recipe& recipe, const Checkpoint& checkpoint, const DataSplits& splits,
                       torch::ScalarType dtype, torch::Device device);

// As people call it: the checkpoint's folder, without "model" or "checkpoint" that many are called.
std::string model_name(const Recipe& recipe, const Checkpoint& checkpoint);

}  // namespace normscope
