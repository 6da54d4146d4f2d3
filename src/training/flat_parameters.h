// All parameters of a model in one block of memory, gradients in a second: one optimiser pass, one save.
#pragma once
#include "nn/parameter.h"

namespace normscope {

// Moves the parameters' values into flat memory; they become views of it and stay the same leaves.
// Order: dense parameters, then embedding tables, each at a multiple of 16 elements.
class FlatParameters {
 public:
  explicit FlatParameters(const ParameterSet& parameters);

  struct Place {
    ParameterPtr parameter;
    int64_t begin, count;
  };
  struct Table {
    ParameterPtr parameter;
    int64_t begin, rows, width;
  };

  const torch::Tensor& values() const { return values_; }        // [size]
  const torch::Tensor& gradients() const { return gradients_; }  // [size]
  int64_t size() const { return values_.numel(); }
  int64_t dense_size() const { return dense_size_; }
  const std::vector<Place>& places() const { return places_; }  // in the order of memory
  const std::vector<Table>& tables() const { return tables_; }
  static int64_t aligned(int64_t count) { return (count + kAlignment - 1) / kAlignment * kAlignment; }
  // Rows of a table that any lookup has touched since the start, ascending. All others have zero gradient.
  static std::vector<int64_t> touched_rows(const Table& table);

  void clear_gradients();
  // Euclidean norm of the gradient, summed in float64 in fixed chunks (equal for any thread count).
  double gradient_norm() const;

  // Which rows were ever touched, table by table, for a saved state.
  std::vector<uint8_t> touched() const;
  void set_touched(const std::vector<uint8_t>& touched);

 private:
  static constexpr int64_t kAlignment = 16;

  torch::Tensor values_, gradients_;
  int64_t dense_size_ = 0;
  std::vector<Place> places_;
  std::vector<Table> tables_;
};

}  // namespace normscope
