// The words of norm.layers: a group of blocks, everything, nothing, or a list such as "0-3,7".
#pragma once
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace normscope {

struct LayerSelection {
  enum class Kind { None, All, Blocks, Early, Middle, Later, Listed };
  Kind kind = Kind::None;
  std::vector<std::pair<int64_t, int64_t>> ranges;  // Listed: first and last layer, ascending and disjoint

  // Whether block `layer` of `num_hidden_layers` belongs to it. Thirds are floor(L/3) each, the rest to
  // later.
  bool contains(int64_t layer, int64_t num_hidden_layers) const;
  bool operator==(const LayerSelection&) const = default;
};

// Throws Error(Usage) naming the part that cannot be read.
LayerSelection parse_layer_selection(std::string_view text);

// Throws Error(Usage) when a listed layer is not among the model's.
void check_layer_selection(const LayerSelection& selection, int64_t num_hidden_layers);

}  // namespace normscope
