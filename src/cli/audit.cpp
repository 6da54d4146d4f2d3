// normscope audit
#include "experiments/audit.h"

#include <cstdio>
#include <filesystem>
#include <iostream>

#include "cli/audit_output.h"
#include "cli/commands.h"
#include "cli/data_options.h"
#include "cli/progress_display.h"
#include "cli/stop_signals.h"
#include "core/error.h"
#include "core/file.h"
#include "data/csv_reader.h"
#include "data/prediction_file.h"
#include "logging/log.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

constexpr size_t kStoredSuspects = 100;  // in audit.json, for the report

struct Arguments {
  std::string subject, pred_probs, labels, label_column, run, out;
  std::vector<std::string> overrides;
  int64_t folds = 0, jobs = 0;
  std::string output, corrected;
  AuditRules rules;
  double correct_above = 0.5;
  size_t top = 20;
  bool json = false;
};

LabelAudit audit_predictions(const Arguments& a) {
  const MappedFile file(a.pred_probs, ErrorKind::Data);
  const bool names_file = fs::is_regular_file(a.labels);
  require(a.labels.empty() || names_file || a.labels.find(',') != std::string::npos, ErrorKind::Usage,
          "--labels: ", a.labels, " is no file; expected one, or a class order a,b,c");
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

// Trains the recipe's runs, or goes on with them. False when it was stopped.
bool train(const Recipe& recipe, const fs::path& folder, const Arguments& a) {
  StudyOptions options;
  options.folder = folder;
  options.jobs = a.jobs;
  options.worker_command = {"normscope", "run", a.subject, "--worker"};
  options.should_stop = stop_requested;
  catch_stop_signals();
  ProgressDisplay progress;
  const auto outcome = run_study(recipe, options, progress);
  require(outcome != StudyOutcome::SomeFailed, ErrorKind::Run, folder.string(),
          ": not every run could be trained; normscope status shows why");
  return outcome == StudyOutcome::Done;
}

// Nothing when it was stopped.
std::optional<DataAudit> audit_data(const Arguments& a) {
  if (fs::is_directory(a.subject)) {
    require(a.folds == 0 && a.overrides.empty() && a.out.empty(), ErrorKind::Usage, a.subject,
            ": --folds, --set and --out need a recipe; a folder holds what has been trained");
    return audit_run(a.subject, a.run, a.rules);
  }
  const auto recipe =
      a.folds > 0 ? folded_recipe(a.subject, a.overrides, a.folds) : load_recipe(a.subject, a.overrides);
  const std::string name = recipe.name + (a.folds > 0 ? "-folds" + std::to_string(a.folds) : "");
  const auto folder = a.out.empty() ? fs::path("runs") / name : fs::path(a.out);
  if (!train(recipe, folder, a)) return std::nullopt;
  return a.folds > 0 ? audit_folds(recipe, folder, a.rules) : audit_run(folder, a.run, a.rules);
}

std::vector<std::string> corrected_labels(const LabelAudit& audit, const std::vector<Correction>& corrected) {
  std::vector<std::string> labels;
  for (const auto& row : audit.rows) labels.push_back(audit.classes[static_cast<size_t>(row.given_label)]);
  for (const auto& c : corrected) labels[static_cast<size_t>(c.position)] = c.to;
  return labels;
}

// row, label: of rows whose content is not known.
std::string row_labels(const LabelAudit& audit, const std::vector<std::string>& labels) {
  std::string csv = "row,label\n";
  for (size_t i = 0; i < labels.size(); ++i)
    csv += std::to_string(audit.rows[i].source_row) + "," + csv_field(labels[i]) + "\n";
  return csv;
}

// Nothing is written over what was audited.
void require_another_file(const std::string& path, const std::vector<std::string>& sources) {
  for (const auto& source : sources)
    require(path.empty() || !fs::exists(path) || !fs::exists(source) || !fs::equivalent(path, source), ErrorKind::Usage,
            path, ": is the audited data itself, which stays as it is; choose another file");
}

std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

int audit(const Arguments& a) {
  require(a.subject.empty() != a.pred_probs.empty(), ErrorKind::Usage,
          "audit: expected a recipe or a study's folder, or --pred-probs FILE.csv");
  find_issue_filter(a.rules.filter);  // before hours of training
  find_label_score(a.rules.score);
  std::optional<DataAudit> trained;
  LabelAudit found;
  if (a.pred_probs.empty()) {
    trained = audit_data(a);
    if (!trained) {
      std::fprintf(stderr, "stopped and saved; the same command goes on where it was\n");
      return stop_exit_code();
    }
    write_suspect_pictures(*trained, std::max(a.top, kStoredSuspects));
    found = trained->audit;
  } else {
    found = audit_predictions(a);
  }
  const auto data = trained ? resolve_path(trained->recipe, trained->recipe.data.train).string() : a.pred_probs;
  for (const auto& path : {a.output, a.corrected}) require_another_file(path, {data, a.labels});
  std::vector<Correction> corrected;
  if (!a.corrected.empty()) {
    corrected = corrections(found, a.correct_above);
    const auto labels = corrected_labels(found, corrected);
    write_file_atomically(a.corrected,
                          trained ? labelled_rows(*trained, labels, a.corrected) : row_labels(found, labels));
  }
  if (!a.output.empty()) write_file_atomically(a.output, audit_csv(found));
  if (trained) {
    write_file_atomically(trained->folder / "audit.csv", audit_csv(found));
    write_file_atomically(trained->folder / "audit.json",
                          dump(audit_json(found, std::max(a.top, kStoredSuspects), corrected)));
  }
  for (const auto& warning : found.warnings) log_warning(warning);
  std::cout << (a.json ? dump(audit_json(found, a.top, corrected)) : audit_text(found, a.top, corrected));
  return 0;
}

}  // namespace

std::function<int()> add_audit(CLI::App& app) {
  auto a = std::make_shared<Arguments>();
  app.add_option("recipe_or_folder", a->subject, "A recipe to train, or the folder of a study that ran");
  app.add_option("--folds", a->folds, "Judge every row by a model that has not seen it: so many fine-tunings");
  app.add_option("--jobs", a->jobs, "Fine-tunings at once (default: one a core when there are as many, else 1)")
      ->check(CLI::PositiveNumber);
  app.add_option("--run", a->run, "Which run of the study (default: the first intact one)");
  app.add_option("--set", a->overrides, "key=value, over the recipe's")->take_all()->expected(1);
  app.add_option("--out", a->out, "Folder to train in (default: runs/<recipe name>)");
  app.add_option("--pred-probs", a->pred_probs, "CSV of labels and class probabilities of any classifier");
  app.add_option("--labels", a->labels, "With --pred-probs: class order a,b,c, or a file of the labels");
  app.add_option("--label-column", a->label_column, "With --pred-probs: column of the labels");
  app.add_option("--filter", a->rules.filter, "Which rows are issues: prune_by_noise_rate, prune_by_class, both, ...")
      ->capture_default_str();
  app.add_option("--score", a->rules.score, "label_score: self_confidence, normalized_margin, ...")
      ->capture_default_str();
  app.add_option("--threshold", a->rules.threshold, "Of one run: a row with a lower score is an issue")
      ->check(CLI::Range(0.0, 1.0))
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
