// A small study with plausible curves, written through RunStore as the runner would.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "core/random.h"
#include "storage/run_store.h"

namespace normscope {

struct SyntheticRun {
  std::string model = "bert-base-uncased", placement = "post_norm", selection = "none";
  int64_t seed = 28, epochs = 20;
  double learning = 92, slowness = 1;  // final test accuracy; how many times slower than an intact run
  int64_t noisy_rows = 60;
  RunState state = RunState::Done;
};

inline std::string recipe_of(const SyntheticRun& run) {
  return "name = \"" + run.model + "-emotions\"\n\n[model]\ncheckpoint = \"models/" + run.model +
         "\"\n\n[data]\ntrain = \"data/train.txt\"\nprepare = \"emotions\"\n\n[noise]\nkind = "
         "\"paper\"\nrate = 0.01\n"
         "class = \"surprise\"\n\n[norm]\nintervention = \"remove_affine\"\nlayers = \"" +
         run.selection + "\"\n\n[training]\nepochs = " + std::to_string(run.epochs) +
         "\nlearning_rate = 2e-05\n\n[seed]\nall = " + std::to_string(run.seed) + "\n";
}

inline EpochMetrics synthetic_epoch(const SyntheticRun& run, int64_t epoch, RandomStream& random) {
  const double time = static_cast<double>(epoch) / run.slowness;
  const auto approach = [&](double end, double rate) { return end * (1 - std::exp(-time * rate)); };
  EpochMetrics row;
  row.epoch = epoch;
  row.test_accuracy = 30 + approach(run.learning - 30, 1.2) + random.normal() * 0.3;
  row.train_clean_accuracy = std::min(100.0, 30 + approach(69.8, 0.9) + random.normal() * 0.05);
  row.test_loss = 1.6 * std::exp(-time) + 0.25 + 0.015 * time;
  row.test_macro_f1 = row.test_accuracy - 4;
  row.seconds = 42 + random.uniform();
  row.noisy_loss = 3.4 * std::exp(-time / 5) + 0.01;
  if (epoch > 0) {
    row.train_loss = 1.5 * std::exp(-time * 0.8) + 0.01;
    row.train_accuracy = std::min(99.9, row.train_clean_accuracy - 0.4);
    row.overfit_gap = row.train_accuracy - row.test_accuracy;
  }
  return row;
}

// Rows are memorized one after another, each at its own time; before that they are recovered or guessed.
inline std::vector<NoisyPrediction> synthetic_predictions(const SyntheticRun& run, int64_t epoch,
                                                          const std::vector<StoredNoisyRow>& rows,
                                                          EpochMetrics& metrics) {
  const double time = static_cast<double>(epoch) / run.slowness;
  std::vector<NoisyPrediction> predictions;
  double memorized = 0, recovered = 0;
  for (const auto& row : rows) {
    RandomStream own(static_cast<uint64_t>(run.seed), "row", static_cast<uint64_t>(row.row));
    const double memorized_at = 2 + 12 * own.uniform(), learned_at = 0.4 + own.uniform();
    const bool is_hard = own.uniform() < 0.1;
    std::string label = is_hard ? "fear" : time > learned_at ? row.true_label : "joy";
    if (time > memorized_at) label = row.given_label;
    memorized += label == row.given_label;
    recovered += label == row.true_label;
    predictions.push_back({row.row, label});
  }
  const auto count = static_cast<double>(rows.size());
  if (!rows.empty()) {
    metrics.memorization = 100 * memorized / count;
    metrics.recovery = 100 * recovered / count;
    metrics.random_prediction = 100 - metrics.memorization - metrics.recovery;
  }
  return predictions;
}

inline void add_synthetic_run(RunStore& store, const SyntheticRun& spec) {
  Run run;
  run.id = spec.model + "-" + spec.selection + "-seed" + std::to_string(spec.seed);
  run.name = run.id;
  run.epochs = spec.epochs;
  run.seed = spec.seed;
  run.model = spec.model;
  run.placement = spec.placement;
  run.norm_selection = spec.selection;
  run.recipe = recipe_of(spec);
  run.facts.dataset = "emotions";
  run.facts.train_rows = 16000;
  run.facts.validation_rows = run.facts.test_rows = 2000;
  run.facts.labels = {"sadness", "joy", "love", "anger", "fear", "surprise"};
  run.facts.noise_kind = "paper";
  run.facts.noisy_class = "surprise";
  run.facts.noisy_rows = spec.noisy_rows;
  run.facts.norms = 25;
  run.facts.num_hidden_layers = 12;
  run.facts.parameters = 109486854;
  if (spec.selection != "none")
    run.facts.removed_norms = {"bert.embeddings.LayerNorm", "bert.encoder.layer.0.attention.output.LayerNorm"};
  run.facts.data_quality = {"31 texts occur more than once in training with conflicting labels"};
  store.create_run(run);
  const char* const texts[] = {"i feel so amazed that you remembered <me> & my \"birthday\" after all these years",
                               "i was strangely curious how it would all turn out in the end",
                               "i left the room stunned and could not say a word for an hour or so afterwards"};
  const char* const labels[] = {"joy", "anger", "love"};
  std::vector<StoredNoisyRow> rows;
  for (int64_t i = 0; i < spec.noisy_rows; ++i)
    rows.push_back({i * 37, i * 37 + 2, labels[i % 3], "surprise", texts[(i / 2) % 3]});
  store.set_noisy_rows(run.id, rows);
  const bool has_started = spec.state != RunState::Waiting;
  RandomStream random(static_cast<uint64_t>(spec.seed), spec.model + spec.selection);
  for (int64_t epoch = 0; has_started && epoch <= spec.epochs; ++epoch) {
    auto metrics = synthetic_epoch(spec, epoch, random);
    const auto predictions = synthetic_predictions(spec, epoch, rows, metrics);
    store.add_epoch(run.id, metrics, {}, predictions);
  }
  if (has_started) store.set_state(run.id, RunState::Running);
  if (spec.state != RunState::Running) store.set_state(run.id, spec.state);
}

// BERT (Post-LN) and GPT-Neo (Pre-LN) with every selection and three seeds.
inline void add_synthetic_study(RunStore& store) {
  Study study;
  study.recipe = "name = \"emotions <1 %> & \\\"noise\\\"\"\n\n" + recipe_of({}).substr(recipe_of({}).find("[model]"));
  study.threads = 8;
  study.device = "cpu";
  study.precision = "float32";
  study.normscope_version = "0.1.0";
  study.machine = "Intel Xeon, 8 cores, Debian 12";
  study.git_state = "45f9125, clean";
  store.create_study(study);
  struct Effect {
    const char* selection;
    double slowness, lost_learning;
  };
  for (const int64_t seed : {28, 64, 89}) {
    for (const auto& [selection, slowness, lost] :
         {Effect{"none", 1, 0}, {"all", 4, 0.6}, {"early", 2, 0.3}, {"middle", 1.2, 0.1}, {"later", 1.05, 0}})
      add_synthetic_run(store, {"bert-base-uncased", "post_norm", selection, seed, 20, 92.4 - lost, slowness});
    for (const auto& [selection, slowness, lost] : {Effect{"none", 1, 0}, {"all", 1.2, 6}})
      add_synthetic_run(store, {"gpt-neo-125M", "pre_norm", selection, seed, 20, 91.4 - lost, slowness});
  }
}

class ReportFolder : public testing::Test {
 protected:
  ReportFolder() {
    // Every epoch is synced to its disk; hundreds of them are quick only in memory.
    const bool has_memory = std::filesystem::is_directory("/dev/shm") && access("/dev/shm", W_OK) == 0;
    const auto parent = has_memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path();
    std::string pattern = (parent / "normscope_report_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~ReportFolder() override { std::filesystem::remove_all(folder_); }
  RunStore make_store() const { return RunStore::open(folder_ / "normscope.db"); }
  std::filesystem::path folder_;
};

}  // namespace normscope
