// A study's results as CSV and JSON lines, and its state.
#include "storage/export.h"

#include <cmath>

#include "core/file.h"
#include "storage/claims.h"

namespace normscope {
namespace {

using Json = nlohmann::ordered_json;

// RFC 4180: quoted only where it must be.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of("\",\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

// A bad byte of somebody's label must not end an export.
std::string to_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json run_json(const Run& run) {
  return {{"run", run.id},
          {"name", run.name},
          {"model", run.model},
          {"placement", run.placement},
          {"norm_selection", run.norm_selection},
          {"seed", run.seed}};
}

Json reading_json(const Reading& reading) {
  Json json = {{"split", reading.split}, {"metric", reading.metric}};
  json["layer"] = reading.layer ? Json(*reading.layer) : Json();
  json["role"] = reading.role ? Json(*reading.role) : Json();
  json["value"] = std::isfinite(reading.value) ? Json(reading.value) : Json();
  return json;
}

Json predictions_json(const std::vector<StoredNoisyRow>& rows, const std::vector<std::string>& labels) {
  Json list = Json::array();
  for (size_t i = 0; i < rows.size(); ++i) {
    if (labels[i].empty()) continue;
    list.push_back({{"row", rows[i].row},
                    {"source_row", rows[i].source_row},
                    {"given_label", rows[i].given_label},
                    {"true_label", rows[i].true_label},
                    {"predicted_label", labels[i]}});
  }
  return list;
}

// Mean seconds of a trained epoch; NaN when none was timed.
double seconds_per_epoch(const std::vector<EpochMetrics>& epochs) {
  double sum = 0;
  int count = 0;
  for (const auto& epoch : epochs) {
    if (epoch.epoch == 0 || std::isnan(epoch.seconds)) continue;
    sum += epoch.seconds;
    ++count;
  }
  return sum / count;
}

}  // namespace

void write_run_metrics(const RunStore& store, const std::string& id, const std::filesystem::path& folder) {
  std::string csv = metrics_csv_header() + "\n", jsonl;
  for (const auto& epoch : store.metrics(id)) {
    csv += metrics_csv_row(epoch) + "\n";
    jsonl += metrics_json(epoch).dump() + "\n";
  }
  write_file_atomically(folder / "metrics.csv", csv);
  write_file_atomically(folder / "metrics.jsonl", jsonl);
}

void export_csv(const RunStore& store, std::ostream& out) {
  out << "run,name,model,placement,norm_selection,seed," << metrics_csv_header() << "\n";
  for (const auto& run : store.runs()) {
    std::string prefix;
    for (const auto& text : {run.id, run.name, run.model, run.placement, run.norm_selection})
      prefix += csv_cell(text) + ",";
    for (const auto& epoch : store.metrics(run.id)) out << prefix << run.seed << ',' << metrics_csv_row(epoch) << "\n";
  }
}

void export_jsonl(const RunStore& store, std::ostream& out) {
  for (const auto& run : store.runs()) {
    const auto rows = store.noisy_rows(run.id);
    const auto readings = store.norm_readings(run.id);
    const auto predictions = store.noisy_predictions(run.id);
    for (const auto& epoch : store.metrics(run.id)) {
      Json line = run_json(run);
      line.update(metrics_json(epoch));
      for (const auto& reading : readings)
        if (reading.epoch == epoch.epoch) line["readings"].push_back(reading_json(reading));
      for (const auto& predicted : predictions)
        if (predicted.epoch == epoch.epoch) line["noisy_predictions"] = predictions_json(rows, predicted.labels);
      out << to_line(line) << "\n";
    }
  }
}

nlohmann::ordered_json status_json(const RunStore& store) {
  Json list = Json::array();
  int64_t done = 0, epochs_left = 0, epochs_left_untimed = 0;
  double eta = 0, timed_sum = 0;
  int timed = 0;
  for (const auto& run : store.runs()) {
    list.push_back(
        {{"id", run.id}, {"state", to_text(state_now(store, run))}, {"epoch", run.epoch}, {"epochs", run.epochs}});
    if (!run.error.empty()) list.back()["error"] = run.error;
    const double seconds = seconds_per_epoch(store.metrics(run.id));
    if (!std::isnan(seconds)) {
      timed_sum += seconds;
      ++timed;
    }
    if (run.state == RunState::Done) ++done;
    if (run.state == RunState::Done || run.state == RunState::Failed) continue;
    const int64_t left = run.epochs - run.epoch;
    epochs_left += left;
    if (std::isnan(seconds)) {
      epochs_left_untimed += left;
    } else {
      eta += seconds * static_cast<double>(left);
    }
  }
  if (epochs_left_untimed > 0) eta += timed_sum / timed * static_cast<double>(epochs_left_untimed);
  Json status;
  status["runs"] = list;
  status["done"] = done;
  status["total"] = list.size();
  status["eta_seconds"] = epochs_left == 0 ? Json(0.0) : std::isfinite(eta) ? Json(eta) : Json();
  return status;
}

}  // namespace normscope
