#include "experiments/open_model.h"

#include <ATen/Context.h>

#include "core/error.h"

namespace normscope {

OpenedModel open_model(const std::string& path, const OpenOptions& options) {
  OpenedModel opened;
  opened.checkpoint = std::make_shared<Checkpoint>(open_checkpoint(path));
  opened.labels = opened.checkpoint->labels();
  if (opened.labels.empty()) opened.labels = {"LABEL_0", "LABEL_1"};  // what transformers takes for granted
  const auto& config = opened.checkpoint->config();
  ModelOptions model_options;
  model_options.load.dtype = options.dtype;
  model_options.load.device = options.device;
  model_options.build.num_labels = static_cast<int64_t>(opened.labels.size());
  if (const auto own = config.find("normscope"); own != config.end() && own->is_object()) {
    opened.is_saved_run = true;
    if (own->value("head", "") == "paper") model_options.build.head = Head::Paper;
    opened.data.text_column = own->value("text_column", opened.data.text_column);
    opened.data.label_column = own->value("label_column", opened.data.label_column);
    opened.data.max_length = own->value("max_length", opened.data.max_length);
    opened.data.padding = own->value("padding", opened.data.padding);
    opened.data.image_column = own->value("image_column", opened.data.image_column);
    opened.data.exif_orientation = own->value("exif_orientation", false);
    opened.data.cifar_pixels = own->value("cifar_pixels", opened.data.cifar_pixels);
    opened.interpolates_positions = own->value("interpolate_pos_encoding", false);
    model_options.build.interpolates_positions = opened.interpolates_positions;
  }
  opened.model = load_model(*opened.checkpoint, model_options);
  return opened;
}

nlohmann::json saved_settings(const Recipe& recipe) {
  return {{"version", NORMSCOPE_VERSION},
          {"text_column", recipe.data.text_column},
          {"label_column", recipe.data.label_column},
          {"max_length", recipe.data.max_length},
          {"padding", recipe.data.padding},
          {"image_column", recipe.data.image_column},
          {"exif_orientation", recipe.data.exif_orientation},
          {"cifar_pixels", recipe.data.cifar_pixels},
          {"interpolate_pos_encoding", recipe.model.interpolate_pos_encoding}};
}

torch::Device find_device(const std::string& name) {
  const bool has_cuda = at::globalContext().hasCUDA();
  if (name == "auto") return has_cuda ? torch::Device(torch::kCUDA) : torch::Device(torch::kCPU);
  if (name == "cpu") return torch::kCPU;
  require(name == "cuda" || name.starts_with("cuda:"), ErrorKind::Usage, "device: '", name,
          "' is not known; expected auto, cpu, cuda or cuda:N");
  require(has_cuda, ErrorKind::Usage, "device: '", name, "' was asked for, but this LibTorch finds no GPU");
  return torch::Device(name);
}

}  // namespace normscope
