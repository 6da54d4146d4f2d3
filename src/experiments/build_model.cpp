#include "experiments/build_model.h"

#include "core/error.h"
#include "interventions/norm_selector.h"

namespace normscope {
namespace {

std::vector<NormPtr> selected_norms(const Recipe& recipe, const Model& model) {
  const int64_t L = model.network.num_hidden_layers;
  if (!recipe.norm.policy.empty())
    return select_paper_policy(model.architecture->model_type, model.norms, L, recipe.norm.policy);
  return select_norms(model.norms, L, parse_layer_selection(recipe.norm.layers), recipe.norm.roles);
}

Model load_recipe_model(const Recipe& recipe, const Checkpoint& checkpoint, const DataSplits& splits,
                        torch::ScalarType dtype, torch::Device device) {
  ModelOptions options;
  options.load.dtype = dtype;
  options.load.device = device;
  options.load.init_seed = static_cast<uint64_t>(recipe.seed.of(recipe.seed.init));
  options.load.random_start = recipe.model.start == "random";
  options.dropout = recipe.model.dropout;
  options.build.head = recipe.model.head == "paper" ? Head::Paper : Head::Transformers;
  options.build.num_labels = static_cast<int64_t>(splits.classes.size());
  options.build.placement = find_placement(recipe.model.placement);  // none for "checkpoint"
  options.build.interpolates_positions = recipe.model.interpolate_pos_encoding;
  auto model = load_model(checkpoint, options);

  const int64_t limit = model.network.max_tokens;
  require(limit == 0 || recipe.data.max_length <= limit, ErrorKind::Usage, "data.max_length is ",
          recipe.data.max_length, ", but ", checkpoint.folder().string(), " has ", limit,
          " positions; set data.max_length to at most that");
  return model;
}

AppliedIntervention recipe_intervention(const Recipe& recipe, const Model& model) {
  const auto& norm = recipe.norm;
  const auto& row = intervention(norm.intervention);
  require(row.has_alpha || norm.alpha == NormRecipe().alpha, ErrorKind::Usage, "norm.alpha: ", norm.intervention,
          " has no strength");
  const bool puts_back = norm.restore_at_epoch > 0;
  require(!puts_back || row.put_back != PutBack::Nothing, ErrorKind::Usage,
          "norm.restore_at_epoch: ", norm.intervention, " takes nothing away that could be put back");
  require(!puts_back || norm.restore == "identity" || row.put_back == PutBack::AtIdentityOrValues, ErrorKind::Usage,
          "norm.restore: what ", norm.intervention,
          " took is in other parameters now; only \"identity\" can be put back");
  return {row, norm.alpha, selected_norms(recipe, model)};
}

}  // namespace

BuiltModel build_model(const Recipe& recipe, const Checkpoint& checkpoint, const DataSplits& splits,
                       torch::ScalarType dtype, torch::Device device) {
  auto model = load_recipe_model(recipe, checkpoint, splits, dtype, device);
  auto intervention = recipe_intervention(recipe, model);
  if (recipe.norm.at_epoch == 0) intervention.apply(model.parameters);
  return {std::move(model), std::move(intervention)};
}

std::string model_name(const Recipe& recipe, const Checkpoint& checkpoint) {
  const auto path = resolve_path(recipe, recipe.model.checkpoint).lexically_normal();
  for (auto part = path; part.has_filename() || part.has_parent_path(); part = part.parent_path()) {
    const auto name = part.filename().string();
    if (!name.empty() && name != "model" && name != "checkpoint") return name;
    if (part == part.parent_path()) break;
  }
  return checkpoint.config().value("model_type", "model");
}

}  // namespace normscope
