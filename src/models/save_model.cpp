#include "models/save_model.h"

#include <unistd.h>

#include "checkpoints/safetensors.h"
#include "core/error.h"
#include "core/file.h"
#include "models/norm_changes.h"

namespace normscope {
namespace {

using Named = std::pair<std::string, torch::Tensor>;

torch::Tensor published(const torch::Tensor& value) {
  return value.detach().to(torch::kCPU, torch::kFloat32).contiguous();
}

// What published checkpoints hold: parameters, ones and zeros where a norm lost its own, zeros for lost biases.
std::vector<Named> published_tensors(const Model& model) {
  std::vector<Named> tensors;
  for (const auto& parameter : model.parameters.all())
    tensors.emplace_back(parameter->name, published(parameter->value));
  for (const auto& norm : model.norms) {
    const auto& [kind, weight, bias, slope] = norm->parts();
    if (!weight) tensors.emplace_back(norm->site().name + ".weight", torch::ones({norm->size()}));
    if (!bias && norm->published_kind() == NormKind::LayerNorm)
      tensors.emplace_back(norm->site().name + ".bias", torch::zeros({norm->size()}));
    std::vector<ParameterPtr> untrained = norm->sublayer_biases().all();
    untrained.insert(untrained.end(), {weight, bias, slope});
    for (const auto& parameter : untrained)
      if (parameter && !model.parameters.find(parameter->name))
        tensors.emplace_back(parameter->name, published(parameter->value));
  }
  // A head without bias is transformers' head with a bias of zero, where that has one.
  if (model.head == Head::Paper && !why_transformers_cannot(model) && model.parameters.find("classifier.weight") &&
      !model.parameters.find("classifier.bias"))
    tensors.emplace_back("classifier.bias", torch::zeros({model.num_labels}));
  return tensors;
}

nlohmann::json published_config(const Model& model, const SaveOptions& options) {
  nlohmann::json config = model.config;
  config["architectures"] = {model.architecture->published_class()};
  config["dtype"] = "float32";
  config.erase("torch_dtype");
  config.erase("num_labels");
  config["id2label"] = nlohmann::json::object();
  config["label2id"] = nlohmann::json::object();
  for (size_t i = 0; i < options.labels.size(); ++i) {
    config["id2label"][std::to_string(i)] = options.labels[i];
    config["label2id"][options.labels[i]] = i;
  }
  auto& own = config["normscope"] = options.settings;
  own["head"] = model.head == Head::Paper ? "paper" : "transformers";
  own["placement"] = model.is_placement_twin() ? to_text(model.network.placement) : "checkpoint";
  own.update(norm_changes(model));
  if (const auto reason = why_transformers_cannot(model)) own["transformers"] = *reason;
  return config;
}

}  // namespace

std::optional<std::string> why_transformers_cannot(const Model& model) {
  const auto type = model.architecture->model_type;
  if (model.is_placement_twin())
    return "the layers are wired the other way than in transformers; load it with normscope";
  if (model.head == Head::Paper && (type == "distilbert" || type == "roberta" || type == "longformer"))
    return "the study's head of " + std::string(type) + " has no counterpart in transformers; load it with normscope";
  for (const auto& norm : model.norms)
    if (norm->kind() != norm->published_kind())
      return std::string(kind_name(norm->kind())) + " stands in the place of " + kind_name(norm->published_kind()) +
             " " + norm->site().name + ", which transformers has no setting for; load it with normscope";
  return std::nullopt;
}

void save_model(const Model& model, const SaveOptions& options, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  const fs::path partial = folder.string() + ".partial-" + std::to_string(::getpid());
  std::error_code error;
  fs::remove_all(partial, error);
  fs::create_directories(partial, error);
  require(!error, ErrorKind::Run, partial.string(), ": cannot be created: ", error.message());
  try {
    const auto tensors = published_tensors(model);
    std::vector<std::pair<std::string, TensorView>> views;
    for (const auto& [name, tensor] : tensors)
      views.emplace_back(name, TensorView{DType::F32,
                                          tensor.sizes().vec(),
                                          {static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes()}});
    write_safetensors(partial / "model.safetensors", views, {{"format", "pt"}});
    write_file_atomically(partial / "config.json", published_config(model, options).dump(2) + "\n");
    for (const auto& file : options.files)
      write_file_atomically(partial / file.filename(), read_file(file, ErrorKind::Run));
    fs::remove_all(folder, error);
    fs::rename(partial, folder, error);
    require(!error, ErrorKind::Run, folder.string(), ": cannot be written: ", error.message());
  } catch (...) {
    fs::remove_all(partial, error);
    throw;
  }
}

}  // namespace normscope
