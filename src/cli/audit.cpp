// normscope audit
#include <filesystem>
#include <iostream>

#include "cli/audit_output.h"
#include "cli/commands.h"
#include "cli/data_options.h"
#include "core/error.h"
#include "core/file.h"
#include "data/csv_reader.h"
#include "data/prediction_file.h"
#include "logging/log.h"

namespace normscope {
namespace {

struct Arguments {
  std::string subject, pred_probs, labels, label_column;
  std::string output, corrected;
  AuditRules rules;
  double correct_above = 0.5;
  size_t top = 20;
  bool json = false;
};

LabelAudit audit_predictions(const Arguments& a) {
  const MappedFile file(a.pred_probs, ErrorKind::Data);
  const bool names_file = std::filesystem::is_regular_file(a.labels);
  PredictionColumns columns{a.label_column, names_file ? std::vector<std::string>{} : split_list(a.labels)};
  const std::string labels = names_file ? read_file(a.labels, ErrorKind::Data) : "";
  auto predictions =
      parse_predictions(file.bytes(), a.pred_probs, columns, labels, names_file ? a.labels : std::string());
  const auto num_classes = static_cast<int64_t>(predictions.classes.size());
  const auto probabilities = predictions.are_logits ? softmax({num_classes, std::move(predictions.values)})
                                                    : Probabilities{num_classes, std::move(predictions.values)};
  auto audit = audit_probabilities(predictions.classes, predictions.labels, probabilities, a.rules);
  for (size_t i = 0; i < audit.rows.size(); ++i) audit.rows[i].row = audit.rows[i].source_row = predictions.rows[i];
  audit.true_labels = predictions.true_labels;
  return audit;
}

// Every row's label as it would be with the corrections: row, label.
std::string corrected_labels(const LabelAudit& audit, const std::vector<Correction>& corrected) {
  std::vector<std::string> labels;
  for (const auto& row : audit.rows) labels.push_back(audit.classes[static_cast<size_t>(row.given_label)]);
  for (const auto& c : corrected) labels[static_cast<size_t>(c.position)] = c.to;
  std::string csv = "row,label\n";
  for (size_t i = 0; i < labels.size(); ++i)
    csv += std::to_string(audit.rows[i].source_row) + "," + csv_field(labels[i]) + "\n";
  return csv;
}

int audit(const Arguments& a) {
  require(a.subject.empty() != a.pred_probs.empty(), ErrorKind::Usage,
          "audit: expected a recipe or a study's folder, or --pred-probs FILE.csv");
  const auto found = audit_predictions(a);
  std::vector<Correction> corrected;
  if (!a.corrected.empty()) {
    corrected = corrections(found, a.correct_above);
    write_file_atomically(a.corrected, corrected_labels(found, corrected));
  }
  if (!a.output.empty()) write_file_atomically(a.output, audit_csv(found));
  for (const auto& warning : found.warnings) log_warning(warning);
  if (a.json) {
    std::cout << audit_json(found, a.top, corrected).dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
              << '\n';
  } else {
    std::cout << audit_text(found, a.top, corrected);
  }
  return 0;
}

}  // namespace

std::function<int()> add_audit(CLI::App& app) {
  auto a = std::make_shared<Arguments>();
  app.add_option("recipe_or_folder", a->subject, "A recipe to train, or the folder of a study that ran");
  app.add_option("--pred-probs", a->pred_probs, "CSV of labels and class probabilities of any classifier");
  app.add_option("--labels", a->labels, "With --pred-probs: class order a,b,c, or a file of the labels");
  app.add_option("--label-column", a->label_column, "With --pred-probs: column of the labels");
  app.add_option("--filter", a->rules.filter, "Which rows are issues: prune_by_noise_rate, prune_by_class, both, ...")
      ->capture_default_str();
  app.add_option("--score", a->rules.score, "label_score: self_confidence, normalized_margin, ...")
      ->capture_default_str();
  app.add_option("--top", a->top, "Suspicious rows to show")->capture_default_str();
  app.add_option("--output", a->output, "CSV of every row to write");
  app.add_option("--write-corrected", a->corrected, "CSV of the rows with corrected labels to write");
  app.add_option("--correct-above", a->correct_above, "Correct where the suggested label has this probability")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_flag("--json", a->json, "One JSON document");
  return [a] { return audit(*a); };
}

}  // namespace normscope
