#include "experiments/worker_messages.h"

#include <chrono>
#include <cmath>

namespace normscope {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSecondsBetweenSteps = 0.1;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Paths and labels may hold any bytes.
std::string to_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// JSON has no word for what is not finite; a loss that became so ends the run and is shown as its error.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }
double number_of(const Json& json) { return json.is_number() ? json.get<double>() : kUndefined; }

}  // namespace

std::string to_line(const WorkerTask& task) {
  return to_line(Json{{"recipe", task.recipe}, {"origin", task.origin}, {"folder", task.folder.string()}});
}

WorkerTask task_from_line(std::string_view line) {
  const auto json = Json::parse(line);
  return {json.at("recipe"), json.at("origin"), json.at("folder").get<std::string>()};
}

std::string to_line(const WorkerAnswer& answer) {
  return to_line(Json{{"outcome", static_cast<int>(answer.result.outcome)},
                      {"error", answer.result.error},
                      {"kind", static_cast<int>(answer.result.kind)},
                      {"is_last", answer.is_last}});
}

void ProgressLines::note(const std::string& run_id, const std::string& text) {
  write_(to_line(Json{{"note", text}, {"run", run_id}}));
}

void ProgressLines::run_started(const std::string& run_id, int64_t index, int64_t total, int64_t epochs) {
  write_(to_line(Json{{"started", index}, {"run", run_id}, {"total", total}, {"epochs", epochs}}));
}

void ProgressLines::step(const std::string& run_id, int64_t epoch, int64_t rows, int64_t rows_in_epoch, double loss) {
  const double now = seconds_now();
  if (now - last_step_ < kSecondsBetweenSteps) return;
  last_step_ = now;
  write_(to_line(Json{
      {"step", epoch}, {"run", run_id}, {"rows", rows}, {"rows_in_epoch", rows_in_epoch}, {"loss", number(loss)}}));
}

void ProgressLines::epoch_finished(const std::string& run_id, const EpochMetrics& metrics) {
  write_(to_line(Json{{"metrics", metrics_json(metrics)}, {"run", run_id}}));
}

void ProgressLines::run_ended(const std::string& run_id) { write_(to_line(Json{{"ended", true}, {"run", run_id}})); }

std::optional<WorkerAnswer> read_worker_line(std::string_view line, Progress& progress) {
  const auto json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  if (json.contains("outcome"))
    return WorkerAnswer{{static_cast<RunOutcome>(json.at("outcome").get<int>()), json.at("error"),
                         static_cast<ErrorKind>(json.at("kind").get<int>())},
                        json.at("is_last")};
  const std::string run = json.at("run");
  if (json.contains("note")) progress.note(run, json.at("note"));
  if (json.contains("started")) progress.run_started(run, json.at("started"), json.at("total"), json.at("epochs"));
  if (json.contains("step"))
    progress.step(run, json.at("step"), json.at("rows"), json.at("rows_in_epoch"), number_of(json.at("loss")));
  if (json.contains("metrics")) progress.epoch_finished(run, metrics_from_json(json.at("metrics")));
  if (json.contains("ended")) progress.run_ended(run);
  return std::nullopt;
}

}  // namespace normscope
