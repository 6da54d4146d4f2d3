// What a study's process and its workers write to each other: one JSON object a line.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/progress.h"
#include "experiments/run_item.h"

namespace normscope {

// The first line to a worker. Every line after it is a run's place in the grid; the end of input is the end of work.
struct WorkerTask {
  std::string recipe;            // complete TOML
  std::string origin;            // where the recipe stands
  std::filesystem::path folder;  // the study's
};
std::string to_line(const WorkerTask& task);
WorkerTask task_from_line(std::string_view line);

// After the last answer the worker ends.
struct WorkerAnswer {
  RunResult result;
  bool is_last = false;
};
std::string to_line(const WorkerAnswer& answer);

// Tells `progress` what a worker's line says, or gives the answer that it holds. Lines of another kind are passed over.
std::optional<WorkerAnswer> read_worker_line(std::string_view line, Progress& progress);

// Lines for the process that shows the study. Steps are thinned out.
class ProgressLines : public Progress {
 public:
  explicit ProgressLines(std::function<void(const std::string&)> write) : write_(std::move(write)) {}
  void note(const std::string& run_id, const std::string& text) override;
  void run_started(const std::string& run_id, int64_t index, int64_t total, int64_t epochs) override;
  void step(const std::string& run_id, int64_t epoch, int64_t rows, int64_t rows_in_epoch, double loss) override;
  void epoch_finished(const std::string& run_id, const EpochMetrics& metrics) override;
  void run_ended(const std::string& run_id) override;

 private:
  std::function<void(const std::string&)> write_;
  double last_step_ = 0;  // seconds of the steady clock
};

}  // namespace normscope
