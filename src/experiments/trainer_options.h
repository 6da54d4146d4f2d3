// What [training] and [seed] say, as the trainer takes it.
#pragma once
#include "recipe/recipe.h"
#include "training/trainer.h"

namespace normscope {

// For a training set of `rows` rows; changes of the model between epochs are the caller's to add.
TrainerOptions trainer_options(const Recipe& recipe, int64_t rows, const BatchOptions& batch);

}  // namespace normscope
