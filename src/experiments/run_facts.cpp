#include "experiments/run_facts.h"

#include "core/file.h"
#include "core/text.h"
#include "experiments/run.h"
#include "interventions/intervention.h"

namespace normscope {
namespace {

std::string counted(size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::vector<std::string> quality_sentences(const PreparedData& data) {
  const auto& splits = *data.splits;
  const auto& quality = splits.quality;
  const std::string content = splits.train.has_images() ? "picture" : "text";
  std::vector<std::string> lines = splits.notes;
  if (!splits.skipped.empty()) {
    const auto& first = splits.skipped.front();
    lines.push_back(counted(splits.skipped.size(), "row was", "rows were") + " skipped, the first at " + first.file +
                    (first.line > 0 ? ":" + std::to_string(first.line) : "") + " (" + first.reason + ")");
  }
  if (!quality.duplicates.empty())
    lines.push_back(counted(quality.duplicates.size(), content + " occurs", content + "s occur") +
                    " more than once in training with one label");
  if (!quality.conflicting.empty())
    lines.push_back(counted(quality.conflicting.size(), content + " occurs", content + "s occur") +
                    " in training with conflicting labels");
  if (!quality.validation_in_train.empty())
    lines.push_back(counted(quality.validation_in_train.size(), "validation " + content + " is",
                            "validation " + content + "s are") +
                    " in training too");
  if (!quality.test_in_train.empty())
    lines.push_back(counted(quality.test_in_train.size(), "test " + content + " is", "test " + content + "s are") +
                    " in training too");
  if (data.truncated_rows > 0)
    lines.push_back(counted(static_cast<size_t>(data.truncated_rows), "text was", "texts were") + " cut to max_length");
  if (data.empty_rows > 0)
    lines.push_back(counted(static_cast<size_t>(data.empty_rows), "text gives", "texts give") +
                    " no token and is fed as one padding token");
  return lines;
}

int64_t removed_parameter_count(const Model& model) {
  int64_t removed = 0;
  for (const auto& norm : model.norms) {
    if (!norm->weight()) removed += norm->size();
    if (!norm->bias() && norm->published_kind() == NormKind::LayerNorm) removed += norm->size();
    for (const auto& bias : norm->sublayer_biases().all())
      if (!model.parameters.find(bias->name)) removed += bias->value.numel();
  }
  return removed;
}

// "removed", "interpolated by 0.5", "removed after epoch 3, back after epoch 6".
std::string outcome_words(const NormRecipe& norm) {
  const auto& row = intervention(norm.intervention);
  std::string words(row.outcome);
  if (row.has_alpha) words += " by " + format_number(norm.alpha);
  if (norm.at_epoch > 0) words += " after epoch " + std::to_string(norm.at_epoch);
  if (norm.restore_at_epoch > 0)
    words += std::string(norm.at_epoch > 0 ? "," : "") + " back after epoch " + std::to_string(norm.restore_at_epoch) +
             (norm.restore == "values" ? " as it was" : "");
  return words;
}

// Of a run's folder, or of the checkpoint in it; "" of another's checkpoint.
std::string recipe_of_checkpoint(const std::filesystem::path& folder) {
  for (const auto& path : {folder / "recipe.toml", folder.parent_path() / "recipe.toml"})
    if (std::filesystem::is_regular_file(path)) return read_file(path, ErrorKind::Checkpoint);
  return "";
}

}  // namespace

std::string excerpt_of(const Dataset& rows, size_t row) {
  if (rows.has_images()) return place_of(rows.images[row]);
  const auto& text = rows.texts[row];
  constexpr size_t kBytes = 160;
  if (text.size() <= kBytes) return text;
  size_t end = kBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

RunFacts run_facts(const Recipe& recipe, const Model& model, const PreparedData& data) {
  RunFacts facts;
  facts.dataset = dataset_label(recipe);
  facts.train_rows = static_cast<int64_t>(data.true_labels.size());
  facts.validation_rows = data.validation_tokens->count();
  facts.test_rows = data.test_tokens->count();
  facts.labels = data.splits->classes;
  facts.noise_kind = recipe.noise.kind;
  facts.noisy_class = recipe.noise.noisy_class;
  facts.noisy_rows = static_cast<int64_t>(data.noise.rows.size());
  facts.norms = static_cast<int64_t>(model.norms.size());
  facts.removed_norms = model.removed_norms();
  facts.num_hidden_layers = model.network.num_hidden_layers;
  facts.parameters = model.parameters.count();
  facts.removed_parameters = removed_parameter_count(model);
  facts.data_quality = quality_sentences(data);
  facts.warnings = data.noise.warnings;
  if (model.is_placement_twin() && recipe.model.start == "rewired")
    facts.warnings.push_back("the checkpoint's weights are wired as " + recipe.model.placement +
                             ", not as they were trained: this shows what that does, not what the placement does");
  if (!model.drawn.empty() && recipe.model.start != "random")
    facts.warnings.push_back("not in the checkpoint, drawn from the seed: " + join(model.drawn, ", "));
  if (!model.unused.empty())
    facts.warnings.push_back("left out of the checkpoint, no part of this model: " + join(model.unused, ", "));
  facts.checkpoint_recipe = recipe_of_checkpoint(resolve_path(recipe, recipe.model.checkpoint));
  facts.more["architecture"] = std::string(model.architecture->model_type);
  if (!model.norms.empty()) facts.more["hidden_size"] = std::to_string(model.norms.back()->size());
  facts.more["head"] = recipe.model.head;
  if (data.trigger)
    facts.more["trigger"] = "\"" + recipe.trigger.word + "\" in " +
                            counted(data.trigger->rows.size(), "training row", "training rows") + " of class " +
                            recipe.trigger.trigger_class;
  return facts;
}

std::vector<StoredNoisyRow> stored_noisy_rows(const PreparedData& data) {
  const auto& classes = data.splits->classes;
  std::vector<StoredNoisyRow> rows;
  for (const auto& row : data.noise.rows)
    rows.push_back({row.row, row.source_row, classes[static_cast<size_t>(row.given_label)],
                    classes[static_cast<size_t>(row.true_label)],
                    excerpt_of(data.splits->train, static_cast<size_t>(row.row))});
  return rows;
}

std::string norm_selection_label(const Recipe& recipe) {
  std::string label = recipe.norm.policy.empty() ? recipe.norm.layers : recipe.norm.policy;
  if (label == "none") return label;
  if (!recipe.norm.roles.empty()) label += " " + join(recipe.norm.roles, "+");
  const auto outcome = outcome_words(recipe.norm);
  return outcome == "removed" ? label : label + ": " + outcome;
}

std::string dataset_label(const Recipe& recipe) {
  if (recipe.data.prepare != "plain") return recipe.data.prepare;
  const auto path = std::filesystem::path(recipe.data.train).lexically_normal();
  const auto name = path.stem().string(), folder = path.parent_path().filename().string();
  return name == "train" && !folder.empty() ? folder : name;  // debian-packages/train.csv
}

}  // namespace normscope
