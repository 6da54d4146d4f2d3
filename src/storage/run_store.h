// The study's database, normscope.db: its recipe, its runs, and everything read from them.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "storage/epoch_metrics.h"
#include "storage/run_facts.h"

namespace normscope {

class Database;

// Fixed when the study is created; a resumed run never changes it.
struct Study {
  std::string recipe;  // the user's TOML
  int64_t threads = 0;
  std::string device, precision;
  std::string created;  // UTC, ISO 8601; filled in when empty
  std::string normscope_version, machine, git_state;
};

enum class RunState { Waiting, Running, Done, Failed };
const char* to_text(RunState state);

struct Run {
  int64_t number = 0;  // of the database, from 1; create_run gives it
  std::string id, name;
  RunState state = RunState::Waiting;
  int64_t epoch = 0, epochs = 0;  // finished and planned
  int64_t seed = 0;
  std::string model;              // as people call it
  std::string placement;          // "pre_norm" or "post_norm"
  std::string norm_selection;     // "none" (intact), "all", "early", "middle", "later", "paper:all", "0-3", ...
  std::string recipe;             // resolved TOML
  std::string error;              // why it failed
  std::string started, finished;  // UTC, ISO 8601; "" before
  std::string dropped;            // when a changed recipe no longer had it; "": it is in the study
  RunFacts facts;
  bool is_intact() const { return norm_selection == "none"; }
};

// A value that belongs to a norm or to something else that metrics.csv has no column for.
struct Reading {
  int64_t epoch = 0;
  std::string split, metric;
  std::optional<int64_t> layer;
  std::optional<std::string> role;
  double value = 0;
};

struct StoredNoisyRow {
  int64_t row = 0;         // in the training set after preparation and split
  int64_t source_row = 0;  // in the file
  std::string given_label, true_label;
  std::string excerpt;  // the start of the text, or the image's path
};

struct NoisyPrediction {
  int64_t row = 0;
  std::string predicted_label;
};

// One connection: use each object in one thread at a time; several processes may share the file.
class RunStore {
 public:
  // Opens or creates. Throws Error: Data for a foreign or damaged file, Run when it is locked for longer than
  // the timeout or cannot be written.
  static RunStore open(const std::filesystem::path& path, int busy_timeout_ms = 30'000);

  // For status, report and export: never writes, works on read-only media. Throws Error(Usage) when absent.
  static RunStore open_read_only(const std::filesystem::path& path, int busy_timeout_ms = 30'000);

  // Where the database lies; the study's other files are beside it.
  std::filesystem::path folder() const;

  ~RunStore();
  RunStore(RunStore&&) noexcept;

  // The first call decides; later ones change nothing. Returns what is stored.
  Study create_study(const Study& study);
  std::optional<Study> find_study() const;

  // Throws Error(Usage) when the id is taken.
  void create_run(const Run& run);
  std::optional<Run> find_run(const std::string& id) const;
  Run run(const std::string& id) const;  // Throws Error(Usage) naming the runs that exist.
  std::vector<Run> runs() const;         // in the order in which they were created, without dropped ones
  std::vector<Run> dropped_runs() const;

  // A changed recipe: one transaction gives runs their ids, in the study or dropped, and adds new ones.
  struct Place {
    int64_t number = 0;  // of a run that is there
    std::string id;
    bool is_dropped = false;
  };
  void change_study(const std::string& recipe, std::span<const Place> places, std::span<const Run> added);

  // Running sets `started` the first time; Done and Failed set `finished`, other states clear it. A waiting run may
  // have an error too: what kept it from going on.
  void set_state(const std::string& id, RunState state, const std::string& error = "");
  // What is known once the checkpoint is open; `placement` is "pre_norm" or "post_norm".
  void describe_run(const std::string& id, const std::string& model, const std::string& placement);
  void set_facts(const std::string& id, const RunFacts& facts);

  // In drawn order. Replaces the run's noisy rows and drops predictions of rows that are gone.
  void set_noisy_rows(const std::string& id, std::span<const StoredNoisyRow> rows);

  // One transaction: forgets this epoch and all later ones (a resumed run writes them again), stores what is
  // given and moves the run to this epoch. Undefined values are not stored. `readings` take their epoch from
  // `metrics`.
  void add_epoch(const std::string& id, const EpochMetrics& metrics, std::span<const Reading> readings = {},
                 std::span<const NoisyPrediction> predictions = {});

  std::vector<EpochMetrics> metrics(const std::string& id) const;       // by epoch
  std::vector<Reading> norm_readings(const std::string& id) const;      // those with a layer, a role or no column
  std::vector<StoredNoisyRow> noisy_rows(const std::string& id) const;  // in drawn order

  // predictions[i] of epochs[e] belongs to noisy_rows()[i]; "" where none is stored.
  struct Predictions {
    int64_t epoch = 0;
    std::vector<std::string> labels;
  };
  std::vector<Predictions> noisy_predictions(const std::string& id) const;

  // Any query; cells as text, NULL as "". For documentation's examples and for curious users.
  std::vector<std::vector<std::string>> query(const std::string& sql) const;

 private:
  explicit RunStore(std::unique_ptr<Database> database);
  int64_t run_number(const std::string& id) const;

  std::unique_ptr<Database> database_;
};

}  // namespace normscope
