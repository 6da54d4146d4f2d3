// A study's results as CSV and JSON lines, and its state.
#include "storage/export.h"

#include <cmath>

#include "core/file.h"

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

}  // namespace normscope
