#include "experiments/estimate.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/statistics.h"
#include "core/stopwatch.h"
#include "experiments/build_model.h"
#include "experiments/epoch_reader.h"
#include "experiments/open_model.h"
#include "experiments/trainer_options.h"

namespace normscope {
namespace {

constexpr int64_t kWarmUpSteps = 2, kMostSteps = 8;  // the first steps take memory from the system
constexpr double kMostSeconds = 10;                  // of timed steps, after which what was timed must do

// What decides the cost of a step and of an evaluated row, and how many rows there are.
std::string cost_key(const Recipe& recipe) {
  Recipe costs;
  costs.model = recipe.model;
  costs.data = recipe.data;
  costs.noise.true_label_column = recipe.noise.true_label_column;
  costs.training.batch_size = recipe.training.batch_size;
  costs.training.gradient_accumulation = recipe.training.gradient_accumulation;
  costs.training.optimizer = recipe.training.optimizer;
  costs.training.precision = recipe.training.precision;
  return recipe_hash(costs);
}

// Rows of everywhere in the set, for their lengths differ; in an order that is no order of the file.
Dataset sample(const Dataset& rows, int64_t count) {
  std::vector<int64_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  RandomStream random(0, "estimate");
  shuffle(order, random);
  order.resize(std::min(order.size(), static_cast<size_t>(count)));
  return take_rows(rows, order);
}

double seconds_per_step(Trainer& trainer) {
  std::vector<double> times;
  int64_t steps = 0;
  double timed = 0;
  bool is_enough = false;
  auto last = Clock::now();
  while (!is_enough) {
    trainer.run_epoch([&](const EpochProgress&) {
      const double seconds = seconds_since(last);
      if (++steps > kWarmUpSteps) {
        times.push_back(seconds);
        timed += seconds;
      }
      is_enough = steps >= kWarmUpSteps + kMostSteps || timed > kMostSeconds;
      last = Clock::now();
      return is_enough;
    });
  }
  return times.empty() ? 0 : median(times);
}

}  // namespace

const Estimator::Measured& Estimator::measured(const Recipe& recipe) {
  const auto key = cost_key(recipe);
  const auto found = std::ranges::find(measured_, key, &Measured::key);
  if (found != measured_.end()) return *found;
  at::set_num_threads(static_cast<int>(threads_));
  forget_peak_memory();
  const auto start = Clock::now();
  const auto checkpoint =
      open_checkpoint(resolve_path(recipe, recipe.model.checkpoint).string(), recipe.model.start != "random");
  const auto splits = load_recipe_splits(recipe, checkpoint);
  InputReader reader(recipe.data, checkpoint, recipe.model.interpolate_pos_encoding, static_cast<int>(threads_));
  const int64_t step_rows = recipe.training.batch_size * recipe.training.gradient_accumulation;
  const auto read = reader.read(sample(splits.train, step_rows * (kWarmUpSteps + kMostSteps)), recipe.data.max_length);
  const auto device = find_device(recipe.device);
  const auto dtype = recipe.training.precision == "float64" ? torch::kFloat64 : torch::kFloat32;
  auto built = build_model(recipe, checkpoint, splits, dtype, device);
  auto batch = batch_options(recipe.data, recipe.data.max_length, built.model, device);
  batch.dtype = dtype;
  Measured result{.key = key,
                  .train_rows = static_cast<int64_t>(splits.train.size()),
                  .validation_rows = static_cast<int64_t>(splits.validation.size()),
                  .test_rows = static_cast<int64_t>(splits.test.size())};
  Trainer trainer(built.model, read.rows, trainer_options(recipe, read.rows.count(), batch));
  result.seconds_to_start = seconds_since(start);
  result.seconds_per_step = seconds_per_step(trainer);
  const auto evaluated = Clock::now();
  evaluate(built.model, read.rows, ReadOptions().batch_size, batch);
  result.seconds_per_evaluated_row = seconds_since(evaluated) / static_cast<double>(read.rows.count());
  result.memory_bytes = peak_memory();
  return measured_.emplace_back(std::move(result));
}

RunEstimate Estimator::estimate(const RunRecipe& run) {
  const auto& of = measured(run.recipe);
  const auto& training = run.recipe.training;
  const double epochs = static_cast<double>(training.epochs);
  const auto steps =
      static_cast<double>(Trainer::steps_per_epoch(of.train_rows, trainer_options(run.recipe, of.train_rows, {})));
  // Epoch 0 evaluates everything; dynamics need every training row once more there and nothing later.
  const auto every = run.recipe.measure.train_eval_every;
  const double train_evaluations = every > 0 ? 1 + std::floor(epochs / static_cast<double>(every)) : 1;
  const double evaluated_rows = (1 + epochs) * static_cast<double>(of.validation_rows + of.test_rows) +
                                train_evaluations * static_cast<double>(of.train_rows);
  return {of.seconds_to_start + epochs * steps * of.seconds_per_step + evaluated_rows * of.seconds_per_evaluated_row,
          of.memory_bytes};
}

}  // namespace normscope
