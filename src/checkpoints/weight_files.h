// The weight files of a checkpoint's folder, mapped, with their tensors under canonical names.
#pragma once
#include <deque>
#include <filesystem>
#include <map>
#include <string>

#include "checkpoints/torch_file.h"
#include "core/file.h"

namespace normscope {

struct WeightFiles {
  std::map<std::string, TensorView> tensors;  // canonical names, no constant buffers
  std::deque<MappedFile> maps;                // own the views' bytes ...
  std::deque<TorchFile> torch_files;          // ... or these do
  bool is_present = false;
};

// Reads the first of model.safetensors, model.safetensors.index.json, pytorch_model.bin and
// pytorch_model.bin.index.json that the folder has. Throws Error(Checkpoint) naming the file.
WeightFiles open_weight_files(const std::filesystem::path& folder);

// Tensor name to shard's file name, from the bytes of an index.
std::map<std::string, std::string> parse_weight_index(std::string_view bytes, const std::string& origin);

}  // namespace normscope
