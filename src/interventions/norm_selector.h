// Which norms of a model an intervention touches.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nn/norm.h"
#include "recipe/layer_selection.h"

namespace normscope {

// norm.layers and norm.roles of a recipe: "all" is every norm, "blocks" every norm inside the blocks, the
// thirds and listed layers likewise (never embedding or final norms); roles narrow any of them. Throws
// Error(Usage) for an unknown role or a layer the model lacks.
std::vector<NormPtr> select_norms(std::span<const NormPtr> norms, int64_t num_hidden_layers,
                                  const LayerSelection& layers, std::span<const std::string> roles);

// "early", "middle" or "later" by thirds of the blocks; "" outside them.
std::string layer_group(int layer, int64_t num_hidden_layers);

// The study's policies (study.md 3): all, attention, output, early, middle, later.
std::span<const char* const> paper_policies();

// What the study's scripts matched under "paper:<name>" for this model_type; nothing where they had no
// pattern.
std::optional<std::vector<NormPtr>> find_paper_policy(std::string_view model_type, std::span<const NormPtr> norms,
                                                      int64_t num_hidden_layers, const std::string& name);

// The same for a recipe's norm.policy. Throws Error(Usage) saying why when there is nothing to match.
std::vector<NormPtr> select_paper_policy(std::string_view model_type, std::span<const NormPtr> norms,
                                         int64_t num_hidden_layers, const std::string& policy);

}  // namespace normscope
