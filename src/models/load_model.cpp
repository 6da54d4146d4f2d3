// From a checkpoint to a model.
#include "core/error.h"
#include "models/norm_changes.h"

namespace normscope {
namespace {

// How a saved model's layers are wired; the published way unless it is a placement twin.
Placement stored_placement(const nlohmann::json& config, Placement published) {
  const auto own = config.find("normscope");
  if (own == config.end() || !own->is_object() || !own->contains("placement")) return published;
  const auto& stored = own->at("placement");
  if (stored == "checkpoint") return published;
  const auto placement = find_placement(stored.is_string() ? stored.get<std::string>() : "");
  require(placement.has_value(), ErrorKind::Checkpoint, "config.json: normscope.placement is ", stored.dump(),
          "; expected checkpoint, pre_norm or post_norm");
  return *placement;
}

}  // namespace

const char* to_text(Placement placement) { return placement == Placement::PreNorm ? "pre_norm" : "post_norm"; }

std::optional<Placement> find_placement(std::string_view name) {
  for (const auto placement : {Placement::PreNorm, Placement::PostNorm})
    if (name == to_text(placement)) return placement;
  return std::nullopt;
}

Model load_model(const Checkpoint& checkpoint, const ModelOptions& options) {
  const ConfigReader config(checkpoint.config(), options.dropout);
  const auto& row = architecture(config.text("model_type", ""));
  auto load = options.load;
  load.initializer_range = config.number("initializer_range", 0.02);
  auto build = options.build;
  const auto stored = stored_placement(checkpoint.config(), row.placement);
  if (!build.placement) build.placement = stored;
  load.is_rewired = *build.placement != stored;
  const Scope root(&checkpoint, std::string(row.base), load);

  Model model;
  model.architecture = &row;
  model.config = checkpoint.config();
  model.network = row.build(config, root, build);
  model.parameters = root.parameters();
  model.norms = root.norms();
  model.drawn.assign(root.drawn().begin(), root.drawn().end());
  if (const auto own = model.config.find("normscope"); own != model.config.end())
    apply_norm_changes(model, *own, load.random_start ? nullptr : &checkpoint);
  if (!load.random_start) model.unused = checkpoint.unused();
  model.num_labels = options.build.num_labels;
  model.head = options.build.head;
  return model;
}

std::vector<std::string> Model::removed_norms() const {
  std::vector<std::string> names;
  for (const auto& norm : norms)
    if (!norm->affine()) names.push_back(norm->site().name);
  return names;
}

}  // namespace normscope
