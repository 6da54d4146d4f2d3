#include "experiments/trainer_options.h"

namespace normscope {

TrainerOptions trainer_options(const Recipe& recipe, int64_t rows, const BatchOptions& batch) {
  const auto& training = recipe.training;
  TrainerOptions options;
  options.batch_size = training.batch_size;
  options.gradient_accumulation = training.gradient_accumulation;
  options.optimizer.kind = training.optimizer;
  options.optimizer.beta1 = training.betas[0];
  options.optimizer.beta2 = training.betas[1];
  options.optimizer.eps = training.eps;
  options.optimizer.momentum = training.momentum;
  options.optimizer.weight_decay = training.weight_decay;
  options.max_grad_norm = training.max_grad_norm;
  options.shuffle_seed = static_cast<uint64_t>(recipe.seed.of(recipe.seed.shuffle));
  options.dropout_seed = static_cast<uint64_t>(recipe.seed.of(recipe.seed.dropout));
  options.batch = batch;
  const int64_t steps = Trainer::steps_per_epoch(rows, options) * training.epochs;
  options.schedule = {training.schedule, training.learning_rate,
                      static_cast<int64_t>(training.warmup_fraction * static_cast<double>(steps)), steps};
  return options;
}

}  // namespace normscope
