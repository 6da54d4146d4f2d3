// The readings of one epoch: every split evaluated in eval mode, and the training pass's running figures.
#pragma once
#include "experiments/prepared_data.h"
#include "measurements/classification.h"
#include "storage/run_store.h"
#include "training/evaluate.h"
#include "training/trainer.h"

namespace normscope {

struct EpochReading {
  EpochMetrics metrics;
  std::vector<int> noisy_predictions;  // class of each noisy row, in drawn order
  std::vector<Reading> readings;       // without a column in metrics.csv
  Logits train_logits;                 // eval mode, every training row; empty when they were not evaluated
  Logits test_logits;                  // of every test row
};

struct ReadOptions {
  bool evaluate_train = true;  // all training rows; otherwise the noisy rows alone
  int64_t batch_size = 64;     // rows a batch
  BatchOptions batch;
};

// `progress` is null before training. Seconds and samples_per_s are the caller's.
EpochReading read_epoch(const Model& model, const PreparedData& data, int64_t epoch, const EpochProgress* progress,
                        const ReadOptions& options);

}  // namespace normscope
