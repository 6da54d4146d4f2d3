// Writing a model as a Hugging Face folder.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "models/model.h"

namespace normscope {

struct SaveOptions {
  std::vector<std::string> labels;           // class order -> id2label, label2id
  nlohmann::json settings;                   // data and head settings that evaluate and predict read back
  std::vector<std::filesystem::path> files;  // tokenizer and preprocessing files that come along
};

// Nothing when transformers loads the saved folder with equal logits, else the reason why it cannot.
std::optional<std::string> why_transformers_cannot(const Model& model);

// config.json, model.safetensors (float32; removed w and b as ones and zeros) and `files`, written to a folder
// beside `folder` and renamed, so that it is whole or absent. Throws Error(Run) when it cannot be written.
void save_model(const Model& model, const SaveOptions& options, const std::filesystem::path& folder);

}  // namespace normscope
