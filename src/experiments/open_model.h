// Opens a checkpoint for use as it is: published or saved by normscope, with what it says of its data.
#pragma once
#include <memory>

#include "checkpoints/checkpoint.h"
#include "models/model.h"
#include "recipe/recipe.h"

namespace normscope {

struct OpenedModel {
  std::shared_ptr<Checkpoint> checkpoint;
  Model model;
  std::vector<std::string> labels;  // class order
  DataRecipe data;                  // columns, max_length, padding: the saved run's, or the defaults
  bool interpolates_positions = false;
  bool is_saved_run = false;
};

struct OpenOptions {
  torch::ScalarType dtype = torch::kFloat32;
  torch::Device device = torch::kCPU;
};

// Throws Error(Checkpoint).
OpenedModel open_model(const std::string& path, const OpenOptions& options);

// The settings that save_model writes for open_model to read.
nlohmann::json saved_settings(const Recipe& recipe);

// "cpu", "cuda", "cuda:1" or "auto" -> a device that LibTorch has. Throws Error(Usage).
torch::Device find_device(const std::string& name);

}  // namespace normscope
