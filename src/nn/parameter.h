// Trainable tensors under the names that published checkpoints give them.
#pragma once
#include <torch/types.h>

#include <memory>
#include <string>
#include <vector>

namespace normscope {

struct Parameter {
  std::string name;
  torch::Tensor value;     // a trainable leaf
  bool is_table = false;   // an embedding table: one step touches few of its rows
  bool is_matrix = false;  // the weight of a linear map between hidden states: no table, no head, no vector
  int64_t first_step = 0;  // updates of the run before this parameter joined it
  // Set by the optimiser for tables: where lookups add their gradient, and which rows they touched.
  torch::Tensor row_gradient;                     // [rows, width], or undefined
  std::shared_ptr<std::vector<uint8_t>> touched;  // [rows], 1 once a lookup has touched the row
};
using ParameterPtr = std::shared_ptr<Parameter>;

// A model's parameters in the order of their creation; names are unique.
class ParameterSet {
 public:
  void add(ParameterPtr parameter);
  void remove(const ParameterPtr& parameter);
  ParameterPtr find(const std::string& name) const;  // null when absent
  const std::vector<ParameterPtr>& all() const { return parameters_; }
  int64_t count() const;  // scalars

 private:
  std::vector<ParameterPtr> parameters_;
};

}  // namespace normscope
