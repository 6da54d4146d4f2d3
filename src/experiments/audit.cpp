#include "experiments/audit.h"

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "data/csv_reader.h"
#include "data/noise_file.h"
#include "data/prediction_file.h"
#include "experiments/noisy_pictures.h"
#include "experiments/run_facts.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

PreparedData prepare_data(const Recipe& recipe, const fs::path& study_folder) {
  const auto checkpoint = open_checkpoint(resolve_path(recipe, recipe.model.checkpoint).string());
  return DataCache(study_folder / "pixels").prepare(recipe, checkpoint, usable_cores());
}

Run choose_run(const RunStore& store, const std::string& id) {
  if (!id.empty()) return store.run(id);
  const auto runs = store.runs();
  auto at = std::ranges::find_if(runs, [](const Run& run) { return run.is_intact() && run.epoch > 0; });
  if (at == runs.end()) at = std::ranges::find_if(runs, [](const Run& run) { return run.epoch > 0; });
  require(at != runs.end(), ErrorKind::Usage, store.folder().string(), ": no run has finished an epoch");
  return *at;
}

// What the data itself says of its rows: equal contents, texts without a word, texts that were cut.
void describe_rows(LabelAudit& audit, const PreparedData& data) {
  const auto& train = data.splits->train;
  const std::string content = train.has_images() ? "picture" : "text";
  for (size_t i = 0; i < audit.rows.size(); ++i) {
    audit.rows[i].source_row = train.source_rows[i];
    audit.rows[i].content = excerpt_of(train, i);
  }
  const auto& quality = data.splits->quality;
  for (const auto* groups : {&quality.duplicates, &quality.conflicting}) {
    for (const auto& group : *groups) {
      for (const int64_t here : group) {
        auto& row = audit.rows[static_cast<size_t>(here)];
        for (const int64_t there : group) {
          if (here == there) continue;
          const auto& other = audit.rows[static_cast<size_t>(there)];
          (other.given_label == row.given_label ? row.duplicates : row.conflicts).push_back(other.source_row);
        }
        if (row.conflicts.empty()) continue;
        const auto other = std::ranges::find_if(group, [&](int64_t there) {
          return audit.rows[static_cast<size_t>(there)].given_label != row.given_label;
        });
        const auto label = static_cast<size_t>(audit.rows[static_cast<size_t>(*other)].given_label);
        row.why.push_back("the same " + content + " is labelled " + audit.classes[label] + " elsewhere");
      }
    }
  }
  for (size_t i = 0; i < train.texts.size(); ++i)
    if (train.texts[i].find_first_not_of(" \t\r\n") == std::string::npos)
      audit.rows[i].why.push_back("the text is empty");
  for (const int64_t row : data.truncated_train)
    audit.rows[static_cast<size_t>(row)].why.push_back("the text is cut to max_length");
  if (!data.noise.rows.empty()) audit.true_labels = data.true_labels;
}

// Sums of one run's signals, to be divided by how many runs trained on each row.
void add_signals(std::vector<AuditSignal>& sums, const LabelAudit& run, const std::vector<int64_t>& rows,
                 size_t num_rows) {
  if (sums.empty())
    for (const auto& signal : run.signals)
      sums.push_back({signal.name, signal.high_is_suspicious, std::vector<double>(num_rows)});
  for (size_t s = 0; s < sums.size(); ++s)
    for (size_t i = 0; i < rows.size(); ++i) sums[s].values[static_cast<size_t>(rows[i])] += run.signals[s].values[i];
}

LabelAudit audit_epochs(const PreparedData& data, const fs::path& dynamics_path, const AuditRules& rules) {
  const MappedFile file(dynamics_path, ErrorKind::Data);
  try {
    return audit_dynamics(data.splits->classes, data.given_labels, parse_dynamics(file.bytes()), rules);
  } catch (const Error& error) {
    throw Error(error.kind(), dynamics_path.string() + ": " + error.what());
  }
}

// A run's dynamics are those of its rows: data that has changed since would be blamed for others' labels.
void require_same_data(const DataAudit& audit) {
  const auto kept = hash_path((audit.folder / "noise.csv").string());
  if (!fs::exists(kept)) return;
  const auto& splits = *audit.data.splits;
  require(read_file(kept, ErrorKind::Data).substr(0, 16) == training_set_hash(splits.train, splits.classes),
          ErrorKind::Data, resolve_path(audit.recipe, audit.recipe.data.train).string(), ": has changed since run ",
          audit.run, " was trained on it");
}

}  // namespace

DataAudit audit_run(const fs::path& study_folder, const std::string& id, const AuditRules& rules) {
  const auto store = RunStore::open_read_only(study_folder / "normscope.db");
  const auto run = choose_run(store, id);
  DataAudit result;
  result.run = run.id;
  result.folder = study_folder / "runs" / run.id;
  result.recipe = load_recipe(result.folder / "recipe.toml");
  const auto dynamics = result.folder / "dynamics.bin";
  require(fs::exists(dynamics), ErrorKind::Data, dynamics.string(),
          ": absent; the run must have been trained with measure.dynamics = true");
  result.data = prepare_data(result.recipe, study_folder);
  require_same_data(result);
  result.audit = audit_epochs(result.data, dynamics, rules);
  result.audit.method = "run " + run.id + ", " + result.audit.method;
  describe_rows(result.audit, result.data);
  return result;
}

Recipe folded_recipe(const fs::path& path, std::vector<std::string> overrides, int64_t num_folds) {
  require(num_folds >= 2, ErrorKind::Usage, "--folds: expected at least 2, found ", num_folds);
  const auto plain = load_recipe(path, overrides);
  require(plain.grid.empty(), ErrorKind::Usage, path.string(), ": --folds audits one setting, the grid has ",
          expand_grid(plain).size(), " runs; pin its keys with --set");
  std::string list;
  for (int64_t fold = 1; fold <= num_folds; ++fold) list += (fold > 1 ? ", " : "") + std::to_string(fold);
  overrides.push_back("data.folds=" + std::to_string(num_folds));
  overrides.push_back("grid.data.fold=[" + list + "]");
  overrides.push_back("training.keep_checkpoints=none");
  return load_recipe(path, overrides);
}

DataAudit audit_folds(const Recipe& folded, const fs::path& study_folder, const AuditRules& rules) {
  DataAudit result;
  result.folder = study_folder;
  result.recipe = folded;
  result.recipe.grid.clear();
  result.recipe.data.folds = result.recipe.data.fold = 0;
  result.data = prepare_data(result.recipe, study_folder);
  const auto& classes = result.data.splits->classes;
  const size_t num_rows = result.data.given_labels.size();
  Probabilities probabilities{static_cast<int64_t>(classes.size()), std::vector<double>(num_rows * classes.size())};
  std::vector<AuditSignal> sums;
  const auto runs = expand_grid(folded);
  const auto folds = folds_of(result.data, static_cast<int64_t>(runs.size()), folded.seed.of(folded.seed.split));
  for (const auto& run : runs) {
    const auto folder = study_folder / "runs" / run.id;
    const auto path = (folder / "held_out.csv").string();
    require(fs::exists(path), ErrorKind::Run, path, ": absent; run ", run.id, " is not done");
    const MappedFile file(path, ErrorKind::Data);
    auto held_out = parse_predictions(file.bytes(), path, {.classes = classes});
    const auto p = softmax({probabilities.num_classes, std::move(held_out.values)});
    for (size_t i = 0; i < held_out.rows.size(); ++i) {
      const auto row = static_cast<size_t>(held_out.rows[i]);
      require(row < num_rows && held_out.labels[i] == result.data.given_labels[row], ErrorKind::Data, path, ": row ",
              row, " is not that of the training set");
      std::ranges::copy(p.row(static_cast<int64_t>(i)),
                        probabilities.values.begin() + static_cast<std::ptrdiff_t>(row * classes.size()));
    }
    if (!fs::exists(folder / "dynamics.bin")) continue;
    std::vector<int64_t> trained;
    PreparedData part;
    part.splits = result.data.splits;
    for (size_t i = 0; i < num_rows; ++i) {
      if (folds.of_row[i] == run.recipe.data.fold - 1) continue;
      trained.push_back(static_cast<int64_t>(i));
      part.given_labels.push_back(result.data.given_labels[i]);
    }
    add_signals(sums, audit_epochs(part, folder / "dynamics.bin", rules), trained, num_rows);
  }
  result.audit = audit_probabilities(classes, result.data.given_labels, probabilities, rules);
  result.audit.method = std::to_string(runs.size()) + " folds, " + result.audit.method;
  for (auto& signal : sums) {
    for (double& value : signal.values) value /= static_cast<double>(runs.size() - 1);
    result.audit.signals.push_back(std::move(signal));
  }
  for (const auto& warning : folds.warnings) result.audit.warnings.push_back(warning);
  describe_rows(result.audit, result.data);
  return result;
}

void write_suspect_pictures(DataAudit& audit, size_t most) {
  if (!audit.data.train_tokens->has_pictures()) return;
  std::vector<int64_t> rows;
  for (const int64_t position : audit.audit.ranking)
    if (rows.size() < most && audit.audit.rows[static_cast<size_t>(position)].is_issue) rows.push_back(position);
  write_small_pictures(audit.data.train_tokens->pictures, rows, audit.folder / "audit_pictures");
  for (const int64_t row : rows)
    audit.audit.rows[static_cast<size_t>(row)].picture = "audit_pictures/" + std::to_string(row) + ".png";
}

std::string labelled_rows(const DataAudit& audit, const std::vector<std::string>& labels, const fs::path& path) {
  const auto& train = audit.data.splits->train;
  const auto& recipe = audit.recipe.data;
  const bool has_files = train.has_images() && !is_raw(train.images.front());
  std::string csv = "source_row";
  if (has_files) csv += "," + csv_field(recipe.image_column.empty() ? "image" : recipe.image_column);
  if (!train.has_images()) csv += "," + csv_field(recipe.text_column);
  csv += "," + csv_field(recipe.label_column) + "\n";
  const auto folder = fs::absolute(path).parent_path();
  for (size_t i = 0; i < labels.size(); ++i) {
    csv += std::to_string(train.source_rows[i]);
    if (has_files) csv += "," + csv_field(fs::proximate(fs::absolute(train.images[i].file), folder).string());
    if (!train.has_images()) csv += "," + csv_field(train.texts[i]);
    csv += "," + csv_field(labels[i]) + "\n";
  }
  return csv;
}

}  // namespace normscope
