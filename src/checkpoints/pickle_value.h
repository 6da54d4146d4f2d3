// What a pickle of data can be made of.
#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checkpoints/pickle.h"

namespace normscope {

struct PickleValue {
  enum class Kind { None, Bool, Int, Text, Bytes, Tuple, List, Dict, Global, Storage, Tensor, Object };
  Kind kind = Kind::None;
  int64_t number = 0;                                       // Bool, Int; Storage: elements
  std::string_view text;                                    // Text, Bytes; Global, Object: its name; Storage: its key
  std::vector<PickleValue*> items;                          // Tuple, List; Object: its state
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

}  // namespace normscope
