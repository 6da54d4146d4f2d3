#include "models/norm_changes.h"

#include <algorithm>

#include "core/error.h"

namespace normscope {
namespace {

bool is_trained(const Model& model, const ParameterPtr& parameter) {
  return model.parameters.find(parameter->name) == parameter;
}

// Null when the norm is as published.
nlohmann::json change_of(const Model& model, const Norm& norm) {
  nlohmann::json change;
  if (norm.kind() != norm.published_kind()) change["type"] = kind_name(norm.kind());
  const bool has_bias = norm.kind() == NormKind::LayerNorm || norm.kind() == NormKind::Tanh;
  if (!norm.weight() && norm.kind() != NormKind::Identity) change["removed"].push_back("weight");
  if (!norm.bias() && has_bias) change["removed"].push_back("bias");
  const auto& parts = norm.parts();
  for (const auto& part : {parts.weight, parts.bias, parts.slope})
    if (part && !is_trained(model, part)) change["frozen"] = true;
  return change;
}

[[noreturn]] void misfit(const std::string& what) {
  throw Error(ErrorKind::Checkpoint, "config.json: normscope." + what);
}

NormKind kind_named(const nlohmann::json& name) {
  for (const auto kind : {NormKind::LayerNorm, NormKind::RMSNorm, NormKind::Tanh, NormKind::Identity})
    if (name == kind_name(kind)) return kind;
  misfit("norms names the type " + name.dump() + "; known: LayerNorm, RMSNorm, tanh, identity");
}

// Parameters that replacing the norm made get the checkpoint's values.
void fill(const ParameterPtr& parameter, const Model& model, const Checkpoint* checkpoint) {
  if (!parameter || checkpoint == nullptr) return;
  const auto view = checkpoint->find(parameter->name, std::string(model.architecture->base));
  require(view.has_value() && view->shape == parameter->value.sizes().vec(), ErrorKind::Checkpoint,
          checkpoint->folder().string(), ": no tensor '", parameter->name, "' of shape ",
          shape_text(parameter->value.sizes().vec()), ", which its replaced norm needs");
  torch::NoGradGuard no_grad;
  parameter->value.copy_(to_tensor(*view, parameter->value.scalar_type()));
}

void apply_change(Model& model, const NormPtr& norm, const nlohmann::json& change, const Checkpoint* checkpoint) {
  if (!change.is_object()) misfit("norms: '" + norm->site().name + "' is " + change.dump() + ", expected an object");
  if (change.contains("type")) {
    const auto before = norm->parts();
    norm->replace(kind_named(change["type"]), model.parameters);
    const auto& now = norm->parts();
    if (now.weight != before.weight) fill(now.weight, model, checkpoint);
    if (now.bias != before.bias) fill(now.bias, model, checkpoint);
    fill(now.slope, model, checkpoint);
  }
  for (const auto& part : change.value("removed", nlohmann::json::array()))
    if (part == "weight")
      norm->remove_weight(model.parameters);
    else if (part == "bias")
      norm->remove_bias(model.parameters);
    else
      misfit("norms: '" + norm->site().name + "' lost " + part.dump() + ", expected weight or bias");
  if (change.value("frozen", nlohmann::json(false)) == true) norm->freeze(model.parameters);
}

std::vector<ParameterPtr> sublayer_biases(const Model& model) {
  std::vector<ParameterPtr> biases;
  for (const auto& norm : model.norms)
    for (const auto& bias : norm->sublayer_biases().all()) biases.push_back(bias);
  return biases;
}

}  // namespace

nlohmann::json norm_changes(const Model& model) {
  nlohmann::json changes = {{"removed_norms", model.removed_norms()}};
  for (const auto& norm : model.norms)
    if (auto change = change_of(model, *norm); !change.is_null())
      changes["norms"][norm->site().name] = std::move(change);
  for (const auto& bias : sublayer_biases(model))
    if (!is_trained(model, bias)) changes["removed_biases"].push_back(bias->name);
  return changes;
}

void apply_norm_changes(Model& model, const nlohmann::json& own, const Checkpoint* checkpoint) {
  if (!own.is_object()) return;
  const auto norm_named = [&](const std::string& key, const std::string& name) {
    const auto found =
        std::ranges::find_if(model.norms, [&](const NormPtr& norm) { return norm->site().name == name; });
    if (found == model.norms.end()) misfit(key + " names '" + name + "', which this model lacks");
    return *found;
  };
  const auto list = [&](const char* key) {
    const auto names = own.value(key, nlohmann::json::array());
    if (!names.is_array()) misfit(std::string(key) + " is " + names.dump() + ", expected a list");
    for (const auto& name : names)
      if (!name.is_string()) misfit(std::string(key) + " has " + name.dump() + ", expected a name");
    return names.get<std::vector<std::string>>();
  };
  if (const auto norms = own.find("norms"); norms != own.end()) {
    if (!norms->is_object()) misfit("norms is " + norms->dump() + ", expected an object");
    for (const auto& [name, change] : norms->items())
      apply_change(model, norm_named("norms", name), change, checkpoint);
  } else {  // as written before parts of a norm could be missing
    for (const auto& name : list("removed_norms")) norm_named("removed_norms", name)->remove_affine(model.parameters);
  }
  const auto biases = sublayer_biases(model);
  for (const auto& name : list("removed_biases")) {
    const auto found = std::ranges::find(biases, name, &Parameter::name);
    if (found == biases.end()) misfit("removed_biases names '" + name + "', which this model lacks");
    model.parameters.remove(*found);
    (*found)->value = (*found)->value.detach();
  }
}

}  // namespace normscope
