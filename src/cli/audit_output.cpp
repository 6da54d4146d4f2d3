#include "cli/audit_output.h"

#include <cmath>

#include "core/text.h"
#include "data/csv_reader.h"
#include "reports/audit_page.h"
#include "reports/words.h"

namespace normscope {
namespace {

using Json = nlohmann::ordered_json;

const AuditedRow& at(const LabelAudit& audit, int64_t position) { return audit.rows[static_cast<size_t>(position)]; }

std::string name_of(const LabelAudit& audit, int label) {
  return label < 0 ? "" : audit.classes[static_cast<size_t>(label)];
}

std::string list_of(const std::vector<int64_t>& rows) {
  std::vector<std::string> texts;
  for (const int64_t row : rows) texts.push_back(std::to_string(row));
  return join(texts, " ");
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json row_json(const LabelAudit& audit, int64_t position) {
  const auto& row = at(audit, position);
  Json json = {{"row", row.row},
               {"source_row", row.source_row},
               {"is_label_issue", row.is_issue},
               {"label_score", number(row.score)},
               {"given_label", name_of(audit, row.given_label)},
               {"predicted_label", name_of(audit, row.predicted_label)},
               {"suggested_label", row.suggested_label < 0 ? Json() : Json(name_of(audit, row.suggested_label))},
               {"suggested_probability", number(row.suggested_probability)},
               {"why", row.why},
               {"duplicates", row.duplicates},
               {"conflicts", row.conflicts}};
  for (const auto& signal : audit.signals)
    json["signals"][signal.name] = number(signal.values[static_cast<size_t>(position)]);
  if (!audit.true_labels.empty()) json["true_label"] = name_of(audit, audit.true_labels[static_cast<size_t>(position)]);
  if (!row.content.empty()) json["content"] = row.content;
  if (!row.picture.empty()) json["picture"] = row.picture;
  return json;
}

FlagQuality flags_of(const LabelAudit& audit) {
  std::vector<bool> flagged;
  for (const auto& row : audit.rows) flagged.push_back(row.is_issue);
  return measure_flags(flagged, audit.is_wrong());
}

Json detection_json(const LabelAudit& audit) {
  Json json = Json::object();
  const auto flags = flags_of(audit);
  json["wrong_labels"] = std::ranges::count(audit.is_wrong(), true);
  json["flagged"] = {
      {"rows", flags.flagged}, {"precision", number(flags.precision)}, {"miss_rate", number(flags.miss_rate)}};
  json["signals"] = Json::array();
  for (const auto& [signal, d] : detections(audit))
    json["signals"].push_back({{"signal", signal},
                               {"auroc", number(d.auroc)},
                               {"auprc", number(d.average_precision)},
                               {"precision_at_n", number(d.precision)},
                               {"miss_rate", number(d.miss_rate)}});
  return json;
}

// The start of a text on one line.
std::string shortened(const std::string& text, size_t most) {
  std::string line;
  size_t width = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80 && ++width > most) return line + "…";
    line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return line;
}

Table suspects_table(const LabelAudit& audit, size_t top) {
  Table table;
  table.columns = {{"row", true}, {"score", true}, {"given"}, {"suggested"}, {"prob.", true}, {"why"}};
  bool has_content = false;
  for (const auto& row : audit.rows) has_content |= !row.content.empty();
  if (has_content) table.columns.push_back({"content"});
  for (size_t i = 0; i < std::min(top, audit.ranking.size()); ++i) {
    const auto& row = at(audit, audit.ranking[i]);
    if (!row.is_issue) break;
    std::vector<Cell> cells = {{std::to_string(row.source_row)},      {fixed(row.score, 3)},
                               {name_of(audit, row.given_label)},     {name_of(audit, row.suggested_label)},
                               {fixed(row.suggested_probability, 2)}, {shortened(join(row.why, "; "), 80)}};
    if (has_content) cells.push_back({shortened(row.content, 50)});
    table.add(std::move(cells));
  }
  return table;
}

Table detection_with_flags(const LabelAudit& audit) {
  Table table = detection_table(detection_json(audit));
  const auto flags = flags_of(audit);
  table.note += " Of the " + count_words(flags.flagged, "row") + " flagged, " + fixed(flags.precision) +
                " % are wrong; " + fixed(flags.miss_rate) + " % of the wrong ones are not flagged.";
  return table;
}

}  // namespace

std::vector<Correction> corrections(const LabelAudit& audit, double least_probability) {
  std::vector<Correction> list;
  for (const int64_t position : audit.ranking) {
    const auto& row = at(audit, position);
    if (row.is_issue && row.suggested_label >= 0 && row.suggested_probability >= least_probability)
      list.push_back({position, name_of(audit, row.given_label), name_of(audit, row.suggested_label)});
  }
  return list;
}

std::string audit_csv(const LabelAudit& audit) {
  std::string csv =
      "row,source_row,is_label_issue,label_score,given_label,predicted_label,suggested_label,suggested_probability,why,"
      "duplicates,conflicts";
  for (const auto& signal : audit.signals) csv += "," + signal.name;
  const bool knows_truth = !audit.true_labels.empty();
  csv += knows_truth ? ",true_label,content\n" : ",content\n";
  for (const int64_t position : audit.ranking) {
    const auto& row = at(audit, position);
    csv += std::to_string(row.row) + "," + std::to_string(row.source_row) + (row.is_issue ? ",True," : ",False,") +
           format_number(row.score) + "," + csv_field(name_of(audit, row.given_label)) + "," +
           csv_field(name_of(audit, row.predicted_label)) + "," + csv_field(name_of(audit, row.suggested_label)) + "," +
           format_number(row.suggested_probability) + "," + csv_field(join(row.why, "; ")) + "," +
           list_of(row.duplicates) + "," + list_of(row.conflicts);
    for (const auto& signal : audit.signals) csv += "," + format_number(signal.values[static_cast<size_t>(position)]);
    if (knows_truth) csv += "," + csv_field(name_of(audit, audit.true_labels[static_cast<size_t>(position)]));
    csv += "," + csv_field(row.content) + "\n";
  }
  return csv;
}

Json audit_json(const LabelAudit& audit, size_t top, const std::vector<Correction>& corrected) {
  Json json = {{"method", audit.method},
               {"rows", audit.rows.size()},
               {"issues", audit.issue_count()},
               {"classes", audit.classes},
               {"confusion", suspected_confusion(audit)}};
  json["by_class"] = Json::array();
  for (size_t c = 0; c < audit.classes.size(); ++c) {
    int64_t rows = 0, issues = 0;
    for (const auto& row : audit.rows) {
      if (row.given_label != static_cast<int>(c)) continue;
      ++rows;
      issues += row.is_issue;
    }
    json["by_class"].push_back({{"class", audit.classes[c]}, {"rows", rows}, {"issues", issues}});
  }
  if (audit.joint) {
    json["confident_thresholds"] = audit.joint->thresholds;
    json["confident_joint"] = audit.joint->calibrated;
  }
  if (audit.latent) {
    json["prior"] = audit.latent->prior;
    json["noise_matrix"] = audit.latent->noise;
    json["inverse_noise_matrix"] = audit.latent->inverse_noise;
  }
  json["suspects"] = Json::array();
  for (size_t i = 0; i < std::min(top, audit.ranking.size()); ++i)
    if (at(audit, audit.ranking[i]).is_issue) json["suspects"].push_back(row_json(audit, audit.ranking[i]));
  if (!audit.true_labels.empty()) json["detection"] = detection_json(audit);
  json["corrections"] = Json::array();
  for (const auto& c : corrected)
    json["corrections"].push_back({{"row", at(audit, c.position).row},
                                   {"source_row", at(audit, c.position).source_row},
                                   {"given_label", c.from},
                                   {"label", c.to}});
  json["warnings"] = audit.warnings;
  return json;
}

std::string audit_text(const LabelAudit& audit, size_t top, const std::vector<Correction>& corrected) {
  const auto issues = audit.issue_count();
  const auto share = 100 * static_cast<double>(issues) / static_cast<double>(std::max<size_t>(1, audit.rows.size()));
  std::string text = grouped(issues) + " of " + count_words(static_cast<int64_t>(audit.rows.size()), "row") + " (" +
                     fixed(share) + " %) have a suspicious label: " + audit.method + "\n";
  if (issues > 0 && top > 0) text += "\n" + to_text(suspects_table(audit, top));
  if (!audit.true_labels.empty()) text += "\n" + to_text(detection_with_flags(audit));
  if (!corrected.empty()) text += "\nCorrected:\n";
  for (const auto& c : corrected)
    text += "  row " + std::to_string(at(audit, c.position).source_row) + ": " + c.from + " -> " + c.to + " (" +
            fixed(at(audit, c.position).suggested_probability, 2) + ")\n";
  return text;
}

}  // namespace normscope
