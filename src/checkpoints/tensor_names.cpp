// Old and new spellings of tensor names.
// Source: transformers modeling_utils.py, the renaming of gamma and beta and of base_model_prefix.
#include "checkpoints/tensor_names.h"

#include <algorithm>
#include <string_view>

namespace normscope {

std::string canonical_name(const std::string& name) {
  std::string canonical = name.starts_with("module.") ? name.substr(7) : name;
  const auto rename = [&](std::string_view old_end, std::string_view new_end) {
    if (canonical.ends_with(old_end)) canonical.replace(canonical.size() - old_end.size(), old_end.size(), new_end);
  };
  rename(".gamma", ".weight");
  rename(".beta", ".bias");
  return canonical;
}

bool is_constant_buffer(const std::string& canonical) {
  constexpr std::string_view kEnds[] = {"position_ids", ".attn.bias", ".attn.attention.bias", ".masked_bias",
                                        ".inv_freq"};
  return std::any_of(std::begin(kEnds), std::end(kEnds),
                     [&](std::string_view end) { return canonical.ends_with(end); });
}

std::vector<std::string> lookup_names(const std::string& name, const std::string& base_prefix) {
  if (base_prefix.empty()) return {name};
  const std::string prefix = base_prefix.ends_with('.') ? base_prefix : base_prefix + ".";
  std::vector<std::string> names = {name};
  if (name.starts_with(prefix)) names.push_back(name.substr(prefix.size()));
  names.push_back(prefix + name);
  return names;
}

}  // namespace normscope
