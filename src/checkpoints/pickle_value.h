// What a pickle of tensors can be made of, and the few torch objects that may be rebuilt.
#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checkpoints/pickle.h"
#include "checkpoints/pickle_bytes.h"

namespace normscope {

struct PickleValue {
  enum class Kind { None, Bool, Int, Text, Tuple, List, Dict, Global, Storage, Tensor };
  Kind kind = Kind::None;
  int64_t number = 0;                                       // Bool, Int; Storage: elements
  std::string_view text;                                    // Text; Global: its name; Storage: its key
  std::vector<PickleValue*> items;                          // Tuple, List
  std::vector<std::pair<PickleValue*, PickleValue*>> dict;  // Dict
  DType dtype = DType::F32;                                 // Storage
  const PickledTensor* tensor = nullptr;
};

// Owns every value of one pickle; a list may hold itself, so references are not counted.
class PickleValues {
 public:
  PickleValue* make(PickleValue::Kind kind) {
    values_.emplace_back().kind = kind;
    return &values_.back();
  }
  const PickledTensor* keep(PickledTensor tensor) { return &tensors_.emplace_back(std::move(tensor)); }

 private:
  std::deque<PickleValue> values_;
  std::deque<PickledTensor> tensors_;
};

// The global "module name" when a checkpoint may refer to it; refused by name otherwise.
PickleValue* known_global(PickleValues& values, const std::string& name, const PickleBytes& place);

// The storage that a persistent id describes: ("storage", type, key, device, elements).
PickleValue* describe_storage(PickleValues& values, const PickleValue& id, const PickleBytes& place);

// What the known `function` makes of `arguments`: an empty dict, a tensor, or a parameter's tensor.
PickleValue* rebuild_object(PickleValues& values, const PickleValue& function, const PickleValue& arguments,
                            const PickleBytes& place);

}  // namespace normscope
