// What every architecture provides, and the table of them by Hugging Face model_type.
#pragma once
#include <functional>
#include <span>
#include <string_view>

#include "models/config_reader.h"
#include "nn/blocks.h"
#include "nn/scope.h"

namespace normscope {

// N tokens of B packed rows. Text models read ids and positions, image models pixels.
struct Inputs {
  torch::Tensor input_ids;     // [N] int64
  torch::Tensor positions;     // [N] int64, from 0 in each row (shifted by left padding)
  torch::Tensor pixel_values;  // [B, channels, height, width]
};

enum class Head { Transformers, Paper };  // the *ForSequence/ImageClassification head, or study.md 2.4's

// "pre_norm", "post_norm"; the same words read back, nothing for others.
const char* to_text(Placement placement);
std::optional<Placement> find_placement(std::string_view name);

struct BuildOptions {
  Head head = Head::Transformers;
  int64_t num_labels = 2;
  std::optional<Placement> placement;   // how the layers are wired; else as the model was saved, else published
  bool interpolates_positions = false;  // image models read pictures of other sizes than their config's
};

struct Network {
  std::function<torch::Tensor(const Inputs&, Pass&)> forward;  // -> logits [B, C]
  Placement placement = Placement::PostNorm;
  int64_t num_hidden_layers = 0;
  int64_t max_tokens = 0;  // positions that a row may take; 0: no limit
};

// Encoders are read at the first token; decoders, which see no later token and which the study pads on the left, at
// the last one.
enum class ModelKind { Encoder, Decoder, Image };

struct Architecture {
  std::string_view model_type;  // config.json "model_type", also the file's name
  std::string_view base;        // prefix of the encoder's parameters
  std::string_view class_stem;  // of transformers' class: "Bert" of BertForSequenceClassification
  Network (*build)(const ConfigReader& config, const Scope& root, const BuildOptions& options);
  Placement placement;  // of the published network
  ModelKind kind = ModelKind::Encoder;

  // The class whose head Head::Transformers is.
  std::string published_class() const {
    return std::string(class_stem) +
           (kind == ModelKind::Image ? "ForImageClassification" : "ForSequenceClassification");
  }
};

std::span<const Architecture> architectures();
// Throws Error(Checkpoint) listing the known ones.
const Architecture& architecture(std::string_view model_type);

// A loaded network with what the rest of the program needs to know of it.
struct Model {
  const Architecture* architecture = nullptr;
  nlohmann::json config;
  Network network;
  ParameterSet parameters;
  std::vector<NormPtr> norms;       // in the order of the forward pass
  std::vector<std::string> drawn;   // parameters that the checkpoint did not give
  std::vector<std::string> unused;  // tensors of the checkpoint that the model has no place for
  int64_t num_labels = 0;
  Head head = Head::Transformers;

  std::vector<std::string> removed_norms() const;  // names of the norms that have no w and b
  bool is_placement_twin() const { return network.placement != architecture->placement; }
  torch::Tensor forward(const Inputs& inputs, Pass& pass) const { return network.forward(inputs, pass); }
};

struct ModelOptions {
  BuildOptions build;
  LoadOptions load;
  std::optional<double> dropout;
};

// Builds the checkpoint's architecture and fills it. Throws Error(Checkpoint).
Model load_model(const Checkpoint& checkpoint, const ModelOptions& options);

}  // namespace normscope
