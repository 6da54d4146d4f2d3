// Sizes and names of tensor types.
#include "checkpoints/tensor_view.h"

#include <algorithm>
#include <limits>

#include "core/text.h"

namespace normscope {
namespace {

struct DTypeRow {
  DType dtype;
  std::string_view name;
  size_t bytes;
};
constexpr DTypeRow kDTypes[] = {
    {DType::F64, "F64", 8}, {DType::F32, "F32", 4},   {DType::F16, "F16", 2}, {DType::BF16, "BF16", 2},
    {DType::I64, "I64", 8}, {DType::I32, "I32", 4},   {DType::I16, "I16", 2}, {DType::I8, "I8", 1},
    {DType::U8, "U8", 1},   {DType::BOOL, "BOOL", 1},
};

}  // namespace

size_t dtype_bytes(DType dtype) { return kDTypes[static_cast<size_t>(dtype)].bytes; }
std::string_view dtype_name(DType dtype) { return kDTypes[static_cast<size_t>(dtype)].name; }

std::optional<DType> find_dtype(std::string_view name) {
  for (const auto& row : kDTypes)
    if (row.name == name) return row.dtype;
  return std::nullopt;
}

std::optional<uint64_t> tensor_bytes(DType dtype, const std::vector<int64_t>& shape) {
  if (std::any_of(shape.begin(), shape.end(), [](int64_t extent) { return extent < 0; })) return std::nullopt;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  constexpr auto kMax = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  uint64_t bytes = dtype_bytes(dtype);
  for (const int64_t extent : shape) {
    if (bytes > kMax / static_cast<uint64_t>(extent)) return std::nullopt;
    bytes *= static_cast<uint64_t>(extent);
  }
  return bytes;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  std::vector<std::string> extents;
  for (const int64_t extent : shape) extents.push_back(std::to_string(extent));
  return "[" + join(extents, ", ") + "]";
}

}  // namespace normscope
