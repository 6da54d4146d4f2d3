// A Hugging Face directory: config.json and named tensors from one file or from shards.
#pragma once
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "checkpoints/tensor_view.h"

namespace normscope {

// Copies share the mapped files, and so do the views: they live as long as one of the copies.
class Checkpoint {
 public:
  const nlohmann::json& config() const;
  const std::filesystem::path& folder() const;

  // Class names in class order; empty when config.json has none.
  std::vector<std::string> labels() const;

  bool has_weights() const;
  std::vector<std::string> names() const;  // canonical, sorted, without constant buffers

  // The tensor of that name, with or without `base_prefix` ("bert") in front. Not for several threads at
  // once.
  std::optional<TensorView> find(const std::string& name, const std::string& base_prefix = "") const;

  // The names that find() was never asked for, so that a loader can say what it left out.
  std::vector<std::string> unused() const;

  struct State;

 private:
  friend Checkpoint open_checkpoint(const std::string& path_or_org_name, bool needs_weights);
  std::shared_ptr<State> state_;
};

// A folder with config.json, a finished run's folder (its checkpoint/), or an org/name in the local hub
// cache. Weights: model.safetensors, its index with shards, pytorch_model.bin, its index. Without
// `needs_weights` a folder that has none opens too. Throws Error(Checkpoint) naming the file, or every place
// where it looked.
Checkpoint open_checkpoint(const std::string& path_or_org_name, bool needs_weights = true);

}  // namespace normscope
