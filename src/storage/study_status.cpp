#include "storage/study_status.h"

#include <cmath>

#include "core/parallel.h"
#include "storage/claims.h"

namespace normscope {
namespace {

using Json = nlohmann::ordered_json;

double mean_seconds(const std::vector<EpochMetrics>& epochs) {
  double sum = 0;
  int count = 0;
  for (const auto& epoch : epochs) {
    if (epoch.epoch == 0 || std::isnan(epoch.seconds)) continue;
    sum += epoch.seconds;
    ++count;
  }
  return count == 0 ? kUndefined : sum / count;
}

bool is_over(const Run& run) { return run.state == RunState::Done || run.state == RunState::Failed; }

// Where no epoch of a run is timed, the mean of the others' stands in.
void estimate_time(StudyStatus& status) {
  double sum = 0;
  int count = 0;
  for (const auto& of : status.runs) {
    if (std::isnan(of.seconds_per_epoch)) continue;
    sum += of.seconds_per_epoch;
    ++count;
  }
  std::vector<double> running, waiting;
  for (auto& of : status.runs) {
    if (is_over(of.run)) continue;
    const double each =
        std::isnan(of.seconds_per_epoch) ? (count == 0 ? kUndefined : sum / count) : of.seconds_per_epoch;
    of.seconds_left = each * static_cast<double>(of.run.epochs - of.run.epoch);
    (of.run.state == RunState::Running ? running : waiting).push_back(of.seconds_left);
  }
  running.insert(running.end(), waiting.begin(), waiting.end());
  status.seconds_left = !running.empty() && count == 0 ? kUndefined : seconds_for_all(running, status.jobs);
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

}  // namespace

StudyStatus study_status(const RunStore& store) {
  StudyStatus status;
  for (auto& run : store.runs()) {
    const auto epochs = store.metrics(run.id);
    run.state = state_now(store, run);
    status.done += run.state == RunState::Done;
    status.jobs += run.state == RunState::Running;
    status.runs.push_back({std::move(run), epochs.empty() ? EpochMetrics() : epochs.back(), mean_seconds(epochs), 0});
  }
  estimate_time(status);
  return status;
}

nlohmann::ordered_json status_json(const StudyStatus& status) {
  Json runs = Json::array();
  for (const auto& of : status.runs) {
    auto& json = runs.emplace_back(Json{{"id", of.run.id},
                                        {"state", to_text(of.run.state)},
                                        {"epoch", of.run.epoch},
                                        {"epochs", of.run.epochs},
                                        {"test_accuracy", number(of.latest.test_accuracy)},
                                        {"memorization", number(of.latest.memorization)},
                                        {"seconds_per_epoch", number(of.seconds_per_epoch)},
                                        {"eta_seconds", number(of.seconds_left)}});
    if (!of.run.error.empty()) json["error"] = of.run.error;
  }
  const auto total = runs.size();
  return {{"runs", std::move(runs)},
          {"done", status.done},
          {"total", total},
          {"jobs", status.jobs},
          {"eta_seconds", number(status.seconds_left)}};
}

}  // namespace normscope
