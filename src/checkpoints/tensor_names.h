// The several names under which published checkpoints hold one tensor.
#pragma once
#include <string>
#include <vector>

namespace normscope {

// Without DataParallel's "module." in front; ".gamma" and ".beta" at the end, TensorFlow's words, as weight
// and bias.
std::string canonical_name(const std::string& name);

// Position numbers, causal masks and rotary frequencies, which old versions saved and every version computes
// anew.
bool is_constant_buffer(const std::string& canonical);

// Where to look for a tensor, in order: as named, without the base prefix ("bert"), with it.
std::vector<std::string> lookup_names(const std::string& name, const std::string& base_prefix);

}  // namespace normscope
