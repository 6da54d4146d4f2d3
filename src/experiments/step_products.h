// The matrix products of one training step, noted as they happen and timed again alone.
#pragma once
#include <ATen/record_function.h>

#include <cstdint>
#include <vector>

namespace normscope {

// One product [batch, rows, inner] x [batch, inner, columns], and which operands lie transposed in memory.
struct ProductShape {
  int64_t batch = 1, rows = 0, inner = 0, columns = 0;
  bool left_is_transposed = false, right_is_transposed = false;
  auto operator<=>(const ProductShape&) const = default;
};

// Notes every matrix product that this thread makes while it lives: of the forward and, on the CPU, of the backward
// pass. One at a time in a thread.
class ProductRecorder {
 public:
  explicit ProductRecorder(std::vector<ProductShape>& products);
  ~ProductRecorder();
  ProductRecorder(const ProductRecorder&) = delete;
  ProductRecorder& operator=(const ProductRecorder&) = delete;

 private:
  at::CallbackHandle handle_;
};

// Seconds that the products take one after the other, operands made outside the time.
double time_products(const std::vector<ProductShape>& products, at::ScalarType dtype);

}  // namespace normscope
