// The tensors of a torch state dict, out of its pickle.
#include "checkpoints/pickle.h"

#include "checkpoints/pickle_machine.h"
#include "checkpoints/torch_objects.h"

namespace normscope {
namespace {

using Value = PickleValue;
using Kind = PickleValue::Kind;

constexpr size_t kMaxPickleBytes = 1 << 24;  // names and shapes only; the largest published ones have 1 MB

}  // namespace

std::map<std::string, PickledTensor> parse_state_dict_pickle(std::string_view bytes, const std::string& origin) {
  require(bytes.size() <= kMaxPickleBytes, ErrorKind::Checkpoint, origin, ": ", bytes.size(),
          " bytes of names, expected at most ", kMaxPickleBytes);
  const TorchObjects objects;
  PickleMachine machine(bytes, origin, objects);
  const Value* root = &machine.run();
  for (const auto& [key, value] : root->dict)
    if (key->kind == Kind::Text && key->text == "state_dict" && value->kind == Kind::Dict) {
      root = value;
      break;
    }
  require(root->kind == Kind::Dict, ErrorKind::Checkpoint, origin, ": expected a state dict, found something else");
  std::map<std::string, PickledTensor> tensors;
  for (const auto& [key, value] : root->dict) {
    require(key->kind == Kind::Text, ErrorKind::Checkpoint, origin, ": a state dict with keys that are not text");
    const std::string name(key->text);
    require(value->kind == Kind::Tensor, ErrorKind::Checkpoint, origin, ": entry '", name, "' is not a tensor");
    require(tensors.emplace(name, *value->tensor).second, ErrorKind::Checkpoint, origin, ": tensor '", name,
            "' comes twice");
  }
  return tensors;
}

}  // namespace normscope
