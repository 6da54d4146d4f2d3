// pytorch_model.bin: the zip archive that torch.save writes.
#pragma once
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "checkpoints/tensor_view.h"

namespace normscope {

struct TorchFile {
  std::map<std::string, TensorView> tensors;
  std::deque<std::string> unpacked;  // bytes of those tensors that are not contiguous in the file
};

// Views point into `bytes` or `unpacked`. Throws Error(Checkpoint) that starts with `origin`; a pickle
// without an archive (torch before 1.6) is refused with advice.
TorchFile parse_torch_file(std::string_view bytes, const std::string& origin = "pytorch_model.bin");

}  // namespace normscope
