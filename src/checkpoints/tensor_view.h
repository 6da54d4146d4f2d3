// A named tensor's bytes as they lie in a file: dtype, shape, span; no torch.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

enum class DType { F64, F32, F16, BF16, I64, I32, I16, I8, U8, BOOL };

struct TensorView {
  DType dtype;
  std::vector<int64_t> shape;
  std::string_view bytes;  // little endian, row-major; owned by whoever made the view
};

size_t dtype_bytes(DType dtype);
std::string_view dtype_name(DType dtype);  // as safetensors writes it
std::optional<DType> find_dtype(std::string_view name);

// Bytes of a tensor of that shape, or nothing when an extent is negative or the product does not fit 63 bits.
std::optional<uint64_t> tensor_bytes(DType dtype, const std::vector<int64_t>& shape);

std::string shape_text(const std::vector<int64_t>& shape);  // "[2, 3]"

}  // namespace normscope
