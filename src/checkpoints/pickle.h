// The pickle of a torch state dict, read as data: nothing in it is looked up, called or executed.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoints/tensor_view.h"

namespace normscope {

// A tensor as torch saves it: a strided window on a named storage.
struct PickledTensor {
  DType dtype = DType::F32;
  std::string_view storage;  // names the archive's member data/<storage>; points into the pickle
  int64_t storage_size = 0;  // elements
  int64_t offset = 0;        // elements
  std::vector<int64_t> shape, strides;
};

// Tensors of a state dict by name (or of its "state_dict" entry). Only OrderedDict, torch's tensor and
// parameter rebuilders and its typed storages are known; anything else is refused by name. Throws
// Error(Checkpoint) that starts with `origin`. Nothing is allocated beyond a constant times the number of
// bytes.
std::map<std::string, PickledTensor> parse_state_dict_pickle(std::string_view bytes,
                                                             const std::string& origin = "pickle");

}  // namespace normscope
