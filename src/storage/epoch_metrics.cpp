// A row of metrics as CSV and JSON.
#include "storage/epoch_metrics.h"

#include <cmath>

#include "core/text.h"

namespace normscope {

std::string metrics_csv_header() {
  std::string header = "epoch";
  for (const auto& field : kMetricFields) (header += ',') += field.name;
  return header;
}

std::string metrics_csv_row(const EpochMetrics& metrics) {
  std::string row = std::to_string(metrics.epoch);
  for (const auto& field : kMetricFields) row += ',' + format_number(metrics.*field.member);
  return row;
}

nlohmann::ordered_json metrics_json(const EpochMetrics& metrics) {
  nlohmann::ordered_json json;
  json["epoch"] = metrics.epoch;
  for (const auto& field : kMetricFields) {
    const double value = metrics.*field.member;
    auto& cell = json[std::string(field.name)];
    if (std::isfinite(value)) cell = value;
  }
  return json;
}

EpochMetrics metrics_from_json(const nlohmann::ordered_json& json) {
  EpochMetrics metrics;
  metrics.epoch = json.value("epoch", int64_t{0});
  for (const auto& field : kMetricFields) {
    const auto cell = json.find(std::string(field.name));
    if (cell != json.end() && cell->is_number()) metrics.*field.member = cell->get<double>();
  }
  return metrics;
}

}  // namespace normscope
