// Finding wrong labels among a recipe's training rows: from one run's epochs, or from folds that judge unseen rows.
#pragma once
#include <filesystem>

#include "experiments/prepared_data.h"
#include "experiments/study.h"
#include "measurements/label_audit.h"

namespace normscope {

struct DataAudit {
  LabelAudit audit;  // rows carry contents, duplicates, conflicts and what was cut
  PreparedData data;
  Recipe recipe;                 // of the run, or of the undivided data
  std::filesystem::path folder;  // of the run, or of the study of the folds
  std::string run;               // id; "" for folds
};

// The run `id` of a study, or when "" the first intact one that has trained, else the first. Throws Error(Usage) where
// none has, Error(Data) where its dynamics are not there or are others'.
DataAudit audit_run(const std::filesystem::path& study_folder, const std::string& id, const AuditRules& rules);

// The recipe as `num_folds` runs that each hold one part out. Throws Error(Usage) for a recipe with a grid.
Recipe folded_recipe(const std::filesystem::path& path, std::vector<std::string> overrides, int64_t num_folds);

// Confident learning on the rows that each run of a finished folded study held out. Beside it, for comparison, the
// signals of the epochs in which the other runs trained on them. Throws Error(Run) where a run is not done.
DataAudit audit_folds(const Recipe& folded, const std::filesystem::path& study_folder, const AuditRules& rules);

// Small copies of the pictures of the `most` most suspicious rows, in audit_pictures/ of the audit's folder; rows of
// texts have none. Sets AuditedRow::picture. Throws Error(Run).
void write_suspect_pictures(DataAudit& audit, size_t most);

// Training rows with corrected labels, to train on: source_row, the text or the picture's file as seen from `path`'s
// folder (raw pixels have none), the label. `labels` are one a row.
std::string labelled_rows(const DataAudit& audit, const std::vector<std::string>& labels,
                          const std::filesystem::path& path);

}  // namespace normscope
