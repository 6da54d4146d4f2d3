// The training loop of one run: shuffled batches, loss, update; it can stop at any step and go on
// bit-identically.
#pragma once
#include <filesystem>
#include <functional>

#include "core/error.h"
#include "measurements/logits.h"
#include "training/batches.h"
#include "training/gradient_recorder.h"
#include "training/optimizer.h"
#include "training/schedule.h"

namespace normscope {

// Something that happens to the model between epochs; it may add and remove parameters.
struct ModelChange {
  int64_t epoch = 0;                         // after so many epochs
  std::function<void(int64_t steps)> apply;  // updates so far
};

struct TrainerOptions {
  int64_t batch_size = 16;
  int64_t gradient_accumulation = 1;  // batches an update
  OptimizerOptions optimizer;
  Schedule schedule;         // total_steps and warmup_steps filled by the caller
  double max_grad_norm = 0;  // 0: off
  uint64_t shuffle_seed = 0, dropout_seed = 0;
  BatchOptions batch;
  std::vector<ModelChange> changes;      // in the order of their epochs
  GradientRecorder* recorder = nullptr;  // watches the passes; changes nothing
  // What a saved state needs beside the parameters once changes were made; loading writes into the tensors.
  std::function<std::vector<std::pair<std::string, torch::Tensor>>()> kept;
};

// A run's own failure, which the same steps would meet again.
class Diverged : public Error {
 public:
  explicit Diverged(const std::string& message) : Error(ErrorKind::Run, message) {}
};

// Running figures of the epoch in progress, in train mode, given labels counted as truth.
struct EpochProgress {
  int64_t rows = 0;
  double loss_sum = 0;
  int64_t correct = 0;
};

class Trainer {
 public:
  // The model's parameters move into flat memory. `rows.labels` are the given labels.
  Trainer(Model& model, const TokenRows& rows, const TrainerOptions& options);

  // Called after every update; returning true stops before the next one.
  using AfterStep = std::function<bool(const EpochProgress& progress)>;

  // Runs the rest of the epoch in progress (all of it after a completed one). Returns false when it was
  // stopped early. Throws Diverged at the first non-finite loss; the parameters are then those before that
  // update.
  bool run_epoch(const AfterStep& after_step);

  int64_t epoch() const { return epoch_; }  // completed epochs
  int64_t steps() const { return optimizer_->steps; }
  static int64_t steps_per_epoch(int64_t rows, const TrainerOptions& options);
  const EpochProgress& progress() const { return progress_; }
  // Logits of every training row as its epoch's own training pass gave them, by row index.
  const Logits& epoch_logits() const { return epoch_logits_; }

  // Everything that the next step depends on. Written atomically; `note` comes back from load_state.
  void save_state(const std::filesystem::path& path, const std::string& note) const;
  // Throws Error(Run) when the file is not a state of this model and data.
  std::string load_state(const std::filesystem::path& path);

 private:
  std::vector<int64_t> order_of_epoch() const;
  double run_batch(std::span<const int64_t> indices, int64_t rows_of_update, uint64_t batch_index);
  void update();
  // Makes the changes that are due. Parameters that stay keep their optimiser state; one that is new or comes back has
  // none, and its bias correction counts from here.
  void make_changes();
  void make_change(int64_t steps);
  std::vector<std::pair<std::string, torch::Tensor>> kept() const;

  Model& model_;
  const TokenRows& rows_;
  TrainerOptions options_;
  FlatParameters parameters_;
  std::unique_ptr<Optimizer> optimizer_;
  int64_t epoch_ = 0;
  int64_t next_row_ = 0;  // position in the epoch's order
  EpochProgress progress_;
  std::vector<int64_t> change_steps_;  // updates before each change that was made
  Logits epoch_logits_;
};

}  // namespace normscope
