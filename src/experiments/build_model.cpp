#include "experiments/build_model.h"

#include "core/error.h"
#include "interventions/intervention.h"
#include "interventions/norm_selector.h"

namespace normscope {
namespace {

std::vector<NormPtr> selected_norms(const Recipe& recipe, const Model& model) {
  const int64_t L = model.network.num_hidden_layers;
  if (!recipe.norm.policy.empty())
    return select_paper_policy(model.architecture->model_type, model.norms, L, recipe.norm.policy);
  return select_norms(model.norms, L, parse_layer_selection(recipe.norm.layers), recipe.norm.roles);
}

}  // namespace

Model build_model(const Recipe& recipe, const Checkpoint& checkpoint, const DataSplits& splits, torch::ScalarType dtype,
                  torch::Device device) {
  ModelOptions options;
  options.load.dtype = dtype;
  options.load.device = device;
  options.load.init_seed = static_cast<uint64_t>(recipe.seed.of(recipe.seed.init));
  options.load.random_start = recipe.model.start == "random";
  options.dropout = recipe.model.dropout;
  options.build.head = recipe.model.head == "paper" ? Head::Paper : Head::Transformers;
  options.build.num_labels = static_cast<int64_t>(splits.classes.size());
  if (recipe.model.placement != "checkpoint")
    options.build.placement = recipe.model.placement == "pre_norm" ? Placement::PreNorm : Placement::PostNorm;
  auto model = load_model(checkpoint, options);

  const int64_t limit = model.network.max_tokens;
  require(limit == 0 || recipe.data.max_length <= limit, ErrorKind::Usage, "data.max_length is ",
          recipe.data.max_length, ", but ", checkpoint.folder().string(), " has ", limit,
          " positions; set data.max_length to at most that");
  const auto& change = intervention(recipe.norm.intervention);
  for (const auto& norm : selected_norms(recipe, model)) {
    change.apply(*norm, model.parameters);
    if (!norm->affine()) model.removed_norms.push_back(norm->site().name);
  }
  return model;
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
