// The activations that config.json files name.
#pragma once
#include <torch/types.h>

#include <string>

namespace normscope {

using Activation = torch::Tensor (*)(const torch::Tensor&);

// Source: transformers activations.py, ACT2FN. Throws Error(Checkpoint) listing the known names.
Activation activation(const std::string& name);

}  // namespace normscope
