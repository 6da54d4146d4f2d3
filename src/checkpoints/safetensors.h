// The safetensors format: named tensors to bytes and back.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checkpoints/tensor_view.h"

namespace normscope {

using TensorViews = std::map<std::string, TensorView>;

// The views point into `bytes`. `metadata` may be null. Throws Error(Checkpoint) that starts with `origin`
// unless the header is sound and the tensors cover the rest of the bytes exactly once, as the format demands.
TensorViews parse_safetensors(std::string_view bytes, std::map<std::string, std::string>* metadata,
                              const std::string& origin = "safetensors");

// Complete or absent; the tensors are written from where they lie, wide types first so that each is aligned.
// Throws Error(Run) when the disk refuses.
void write_safetensors(const std::filesystem::path& path,
                       const std::vector<std::pair<std::string, TensorView>>& tensors,
                       const std::map<std::string, std::string>& metadata);

// Throws Error(Checkpoint) with advice when the bytes are empty or a Git LFS pointer in place of a file.
void refuse_absent_weights(std::string_view bytes, const std::string& origin);

}  // namespace normscope
