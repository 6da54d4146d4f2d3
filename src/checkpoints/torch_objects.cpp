// The allow-list. Source: torch/serialization.py and torch/_utils.py.
#include "checkpoints/torch_objects.h"

namespace normscope {
namespace {

using Kind = PickleValue::Kind;

constexpr std::pair<std::string_view, DType> kStorages[] = {
    {"torch DoubleStorage", DType::F64},    {"torch FloatStorage", DType::F32}, {"torch HalfStorage", DType::F16},
    {"torch BFloat16Storage", DType::BF16}, {"torch LongStorage", DType::I64},  {"torch IntStorage", DType::I32},
    {"torch ShortStorage", DType::I16},     {"torch CharStorage", DType::I8},   {"torch ByteStorage", DType::U8},
    {"torch BoolStorage", DType::BOOL},
};
constexpr std::string_view kOrderedDict = "collections OrderedDict";
constexpr std::string_view kRebuildTensor = "torch._utils _rebuild_tensor_v2";
constexpr std::string_view kRebuildParameter = "torch._utils _rebuild_parameter";

const DType* storage_dtype(std::string_view global) {
  for (const auto& [name, dtype] : kStorages)
    if (name == global) return &dtype;
  return nullptr;
}

std::vector<int64_t> integers(const PickleValue& tuple, const PickleBytes& place) {
  constexpr size_t kMaxRank = 64;  // torch's own limit
  place.demand(tuple.kind == Kind::Tuple && tuple.items.size() <= kMaxRank, "expected a tuple of extents");
  std::vector<int64_t> numbers;
  for (const PickleValue* item : tuple.items) {
    place.demand(item->kind == Kind::Int, "expected a tuple of integers");
    numbers.push_back(item->number);
  }
  return numbers;
}

}  // namespace

PickleValue* TorchObjects::global(PickleValues& values, const std::string& name, const PickleBytes& place) const {
  std::vector<std::string_view> known = {kOrderedDict, kRebuildTensor, kRebuildParameter};
  for (const auto& [storage, dtype] : kStorages) known.push_back(storage);
  return allowed_global(values, known, name, "a checkpoint of tensors", place);
}

PickleValue* TorchObjects::persistent(PickleValues& values, const PickleValue& id, const PickleBytes& place) const {
  const auto& parts = id.items;
  place.demand(id.kind == Kind::Tuple && parts.size() == 5 && parts[0]->text == "storage" &&
                   parts[1]->kind == Kind::Global && parts[2]->kind == Kind::Text && parts[4]->kind == Kind::Int,
               "expected the description of a storage");
  const DType* dtype = storage_dtype(parts[1]->text);
  place.demand(dtype != nullptr && parts[4]->number >= 0, "expected the description of a storage");
  PickleValue* value = values.make(Kind::Storage);
  value->text = parts[2]->text;
  value->dtype = *dtype;
  value->number = parts[4]->number;
  return value;
}

PickleValue* TorchObjects::call(PickleValues& values, const PickleValue& function, const PickleValue& arguments,
                                const PickleBytes& place) const {
  place.demand(function.kind == Kind::Global && arguments.kind == Kind::Tuple, "expected a known function to call");
  const auto& given = arguments.items;
  if (function.text == kOrderedDict) {
    place.demand(given.empty(), "an OrderedDict with arguments; refused");
    return values.make(Kind::Dict);
  }
  if (function.text == kRebuildParameter) {
    place.demand(given.size() == 3 && given[0]->kind == Kind::Tensor, "a parameter without a tensor");
    return given[0];
  }
  place.demand(function.text == kRebuildTensor, "'", function.text, "' cannot be called");
  place.demand(
      (given.size() == 6 || given.size() == 7) && given[0]->kind == Kind::Storage && given[1]->kind == Kind::Int,
      "a tensor without storage, offset, shape and strides");
  PickleValue* value = values.make(Kind::Tensor);
  value->tensor = values.keep({given[0]->dtype, given[0]->text, given[0]->number, given[1]->number,
                               integers(*given[2], place), integers(*given[3], place)});
  return value;
}

// The attributes of an OrderedDict: torch's _metadata, which holds no tensor.
void TorchObjects::set_state(PickleValue& object, const PickleValue&, const PickleBytes& place) const {
  place.demand(object.kind == Kind::Dict, "attributes for something other than an OrderedDict");
}

}  // namespace normscope
