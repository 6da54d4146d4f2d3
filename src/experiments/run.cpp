#include "experiments/run.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/file.h"
#include "core/stopwatch.h"
#include "data/noise_file.h"
#include "experiments/build_model.h"
#include "experiments/dynamics_file.h"
#include "experiments/epoch_reader.h"
#include "experiments/measure.h"
#include "experiments/noisy_pictures.h"
#include "experiments/norm_drift.h"
#include "experiments/open_model.h"
#include "experiments/predictions_csv.h"
#include "experiments/recorded_readings.h"
#include "experiments/run_facts.h"
#include "experiments/run_histories.h"
#include "experiments/trainer_options.h"
#include "models/save_model.h"
#include "storage/export.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

// A state is written at most this often between epochs: it is as large as the model three times.
constexpr double kSecondsBetweenStates = 30;

// Of each set: test, noisy, clean training rows.
constexpr int64_t kRowsMeasuredWhileTraining = 500;

class OneRun {
 public:
  OneRun(const RunRecipe& run, RunContext& context)
      : id_(run.id),
        recipe_(run.recipe),
        context_(context),
        folder_(context.runs_folder / run.id),
        checkpoint_(open_checkpoint(resolve_path(recipe_, recipe_.model.checkpoint).string(),
                                    recipe_.model.start != "random")) {
    fs::create_directories(folder_);
    data_ = context.cache.prepare(recipe_, checkpoint_, context.num_threads);
    auto built = build_model(recipe_, checkpoint_, *data_.splits, context.dtype, context.device);
    model_ = std::move(built.model);
    intervention_ = std::move(built.intervention);
    rows_ = *data_.train_tokens;
    rows_.labels = data_.given_labels;
    read_.batch = batch_options(recipe_.data, recipe_.data.max_length, model_, context.device);
    read_.batch.dtype = context.dtype;
    drift_.emplace(model_);
    if (recipe_.measure.dynamics) histories_.emplace(data_);
    trainer_.emplace(model_, rows_, options_with_changes());
  }

  bool run() {
    describe();
    resume();
    while (trainer_->epoch() < recipe_.training.epochs && !reached_stop_rule()) {
      if (!train_epoch()) {
        save_state();
        return false;
      }
    }
    if (recipe_.data.folds > 0) write_held_out();
    if (recipe_.training.keep_checkpoints != "none" && !kept_memorized()) save_checkpoint("checkpoint");
    context_.store.set_state(id_, RunState::Done);
    fs::remove(state_path());
    return true;
  }

 private:
  TrainerOptions options_with_changes() {
    auto options = trainer_options(recipe_, rows_.count(), read_.batch);
    if (recipe_.measure.training_gradients) {
      std::vector<bool> is_noisy(static_cast<size_t>(rows_.count()));
      for (const auto& noisy : data_.noise.rows) is_noisy[static_cast<size_t>(noisy.row)] = true;
      options.recorder = &recorder_.emplace(model_, std::move(is_noisy));
    }
    const auto& norm = recipe_.norm;
    if (norm.at_epoch > 0)
      options.changes.push_back({norm.at_epoch, [this](int64_t) { intervention_->apply(model_.parameters); }});
    if (norm.restore_at_epoch > 0)
      options.changes.push_back({norm.restore_at_epoch, [this](int64_t steps) {
                                   intervention_->restore(model_.parameters, recipe_.norm.restore == "values", steps);
                                 }});
    options.kept = [this] { return intervention_->kept(); };
    return options;
  }

  fs::path preprocessor_path() const { return folder_ / "preprocessor_config.json"; }
  fs::path state_path() const { return folder_ / "state.safetensors"; }

  // Everything that is known before the first step, for people and for the report.
  void describe() {
    context_.store.describe_run(id_, model_name(recipe_, checkpoint_), to_text(model_.network.placement));
    const auto facts = run_facts(recipe_, model_, data_);
    context_.store.set_facts(id_, facts);
    context_.store.set_noisy_rows(id_, stored_noisy_rows(data_));
    write_file_atomically(folder_ / "recipe.toml", to_toml(recipe_));
    write_file_atomically(folder_ / "noise.csv", format_noise(data_.noise.rows, data_.splits->classes));
    if (recipe_.noise.kind != "none")
      write_file_atomically(hash_path((folder_ / "noise.csv").string()),
                            training_set_hash(data_.splits->train, data_.splits->classes) + "\n");
    if (data_.preprocessing) {
      write_file_atomically(preprocessor_path(), to_json(*data_.preprocessing).dump(2) + "\n");
      write_noisy_pictures(data_, folder_ / "noisy_pictures");
    }
    if (data_.trigger) {
      std::string rows = "row,source_row\n";
      for (const int64_t row : data_.trigger->rows)
        rows += std::to_string(row) + "," + std::to_string(data_.splits->train.source_rows[static_cast<size_t>(row)]) +
                "\n";
      write_file_atomically(folder_ / "trigger.csv", rows);
    }
    context_.progress.run_started(id_, context_.index, context_.total, recipe_.training.epochs);
    for (const auto& line : facts.data_quality) context_.progress.note(id_, line);
    for (const auto& line : facts.warnings) context_.progress.note(id_, line);
  }

  void resume() {
    if (fs::exists(state_path())) {
      trainer_->load_state(state_path());
      if (histories_) histories_->replay(folder_, trainer_->epoch());
      context_.progress.note(id_, "run " + id_ + " goes on in epoch " + std::to_string(trainer_->epoch() + 1) +
                                      ", step " + std::to_string(trainer_->steps() + 1));
      return;
    }
    const auto start = Clock::now();
    auto reading = read(0, nullptr, true);
    reading.metrics.seconds = seconds_since(start);
    if (recipe_.measure.dynamics) {
      if (reading.train_logits.count() == 0)
        reading.train_logits = evaluate(model_, *data_.train_tokens, read_.batch_size, read_.batch);
      write_dynamics(folder_ / "dynamics.bin", 0, reading.train_logits, data_.given_labels);
      write_test_dynamics(reading);
    }
    store(reading);
  }

  bool train_epoch() {
    const auto start = Clock::now();
    const int64_t rows_before = trainer_->progress().rows % std::max<int64_t>(1, rows_.count());
    const int64_t epoch = trainer_->epoch() + 1;
    bool finished = false;
    try {
      finished = trainer_->run_epoch([&](const EpochProgress& progress) {
        context_.progress.step(id_, epoch, progress.rows, rows_.count(),
                               progress.loss_sum / static_cast<double>(progress.rows));
        return context_.should_stop();
      });
    } catch (const Error&) {
      save_state();  // the parameters before the step that failed
      throw;
    }
    if (!finished) return false;
    const double training_seconds = seconds_since(start);
    const auto every = recipe_.measure.train_eval_every;
    auto reading = read(epoch, &trainer_->progress(), every > 0 && epoch % every == 0);
    reading.metrics.seconds = seconds_since(start);
    reading.metrics.samples_per_s = static_cast<double>(rows_.count() - rows_before) / training_seconds;
    if (recipe_.measure.dynamics) {
      write_dynamics(folder_ / "dynamics.bin", epoch, trainer_->epoch_logits(), data_.given_labels);
      write_test_dynamics(reading);
      histories_->follow(epoch, trainer_->epoch_logits(), reading.test_logits);
      const auto histories = histories_->readings();
      reading.readings.insert(reading.readings.end(), histories.begin(), histories.end());
    }
    keep(reading.metrics);
    store(reading);
    if (seconds_since(last_state_) > kSecondsBetweenStates && epoch < recipe_.training.epochs) save_state();
    return true;
  }

  void write_test_dynamics(const EpochReading& reading) const {
    if (reading.test_logits.count() > 0)
      write_dynamics(folder_ / "test_dynamics.bin", reading.metrics.epoch, reading.test_logits,
                     data_.test_tokens->labels);
  }

  // held_out.csv: predictions.csv of the rows of the fold, by their number in the undivided training set.
  void write_held_out() {
    const auto logits = evaluate(model_, *data_.test_tokens, read_.batch_size, read_.batch);
    const auto csv = predictions_csv(data_.splits->classes, data_.held_out_rows, data_.test_tokens->labels, logits);
    write_file_atomically(folder_ / "held_out.csv", csv);
  }

  EpochReading read(int64_t epoch, const EpochProgress* progress, bool evaluate_train) {
    auto options = read_;
    options.evaluate_train = evaluate_train;
    return read_epoch(model_, data_, epoch, progress, options);
  }

  void store(const EpochReading& reading) {
    std::vector<NoisyPrediction> predictions;
    for (size_t i = 0; i < reading.noisy_predictions.size(); ++i)
      predictions.push_back(
          {data_.noise.rows[i].row, data_.splits->classes[static_cast<size_t>(reading.noisy_predictions[i])]});
    auto readings = norm_readings(reading.metrics.epoch);
    readings.insert(readings.end(), reading.readings.begin(), reading.readings.end());
    if (recorder_ && reading.metrics.epoch > 0) {
      const auto recorded = recorded_readings(*recorder_, model_);
      readings.insert(readings.end(), recorded.begin(), recorded.end());
    }
    const auto drift = drift_->readings(model_);
    readings.insert(readings.end(), drift.begin(), drift.end());
    context_.store.add_epoch(id_, reading.metrics, readings, predictions);
    write_run_metrics(context_.store, id_, folder_);
    context_.progress.epoch_finished(id_, reading.metrics);
  }

  // measure.gradients_every, on a bounded number of rows, so that it costs little beside the epoch itself.
  std::vector<Reading> norm_readings(int64_t epoch) const {
    const auto every = recipe_.measure.gradients_every;
    if (every <= 0 || epoch % every != 0) return {};
    MeasureOptions options;
    options.probe = probe_options(read_.batch, read_.batch_size, recipe_.data.max_length, model_);
    options.most_rows = kRowsMeasuredWhileTraining;
    options.has_attention = false;
    options.seed = static_cast<uint64_t>(recipe_.seed.all);
    const MeasuredData data{*data_.test_tokens, *data_.train_tokens, data_.test_tokens->labels, data_.true_labels,
                            data_.noise.rows};
    return readings_of(measure_norms(model_, data, options), options.seed);
  }

  void keep(const EpochMetrics& metrics) {
    const auto& rule = recipe_.training.keep_checkpoints;
    if (rule == "all") save_checkpoint("checkpoint-" + std::to_string(metrics.epoch));
    if (rule == "memorized" && metrics.memorization == 100 && !kept_memorized()) save_checkpoint("checkpoint");
  }

  bool kept_memorized() const {
    return recipe_.training.keep_checkpoints == "memorized" && fs::exists(folder_ / "checkpoint");
  }

  // training.stop_when, decided from the stored metrics so that a resumed run decides alike.
  bool reached_stop_rule() const {
    const auto& training = recipe_.training;
    if (training.stop_when.empty() || trainer_->epoch() < std::max<int64_t>(1, training.min_epochs)) return false;
    const auto metrics = context_.store.metrics(id_);
    if (metrics.empty()) return false;
    if (training.stop_when == "memorized") return metrics.back().memorization == 100;
    const auto best = std::ranges::min_element(metrics, {}, &EpochMetrics::validation_loss);
    return metrics.back().epoch - best->epoch >= training.patience;
  }

  void save_state() {
    trainer_->save_state(state_path(), id_);
    last_state_ = Clock::now();
  }

  void save_checkpoint(const std::string& name) {
    SaveOptions options;
    options.labels = data_.splits->classes;
    options.settings = saved_settings(recipe_);
    options.files = data_.preprocessing ? std::vector{preprocessor_path()} : tokenizer_files(checkpoint_.folder());
    save_model(model_, options, folder_ / name);
    if (const auto reason = why_transformers_cannot(model_)) context_.progress.note(id_, *reason);
  }

  std::string id_;
  Recipe recipe_;
  RunContext& context_;
  fs::path folder_;
  Checkpoint checkpoint_;
  PreparedData data_;
  Model model_;
  std::optional<AppliedIntervention> intervention_;
  TokenRows rows_;
  ReadOptions read_;
  std::optional<NormDrift> drift_;
  std::optional<GradientRecorder> recorder_;
  std::optional<RunHistories> histories_;  // with measure.dynamics
  std::optional<Trainer> trainer_;
  Clock::time_point last_state_ = Clock::now();
};

}  // namespace

bool run_one(const RunRecipe& run, RunContext& context) { return OneRun(run, context).run(); }

}  // namespace normscope
