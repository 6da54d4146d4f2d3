// The model of a recipe, its norms changed as asked, before the optimiser sees it.
#pragma once
#include "data/dataset.h"
#include "models/model.h"
#include "recipe/recipe.h"

namespace normscope {

// Throws Error(Checkpoint) and Error(Usage).
Model build_model(const Recipe& recipe, const Checkpoint& checkpoint, const DataSplits& splits, torch::ScalarType dtype,
                  torch::Device device);

// As people call it: the checkpoint's folder, without "model" or "checkpoint" that many are called.
std::string model_name(const Recipe& recipe, const Checkpoint& checkpoint);

}  // namespace normscope
