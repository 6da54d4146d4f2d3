// Rotary positions (Su et al. 2021): pairs of a head's columns turned by an angle that grows with the position.
#pragma once
#include "nn/pass.h"

namespace normscope {

class Rotary {
 public:
  // Column c and column c + R/2 turn by position / base^(2c / R), with R the first `turned_size` columns of each head
  // (even, at most head_size); the rest stays.
  Rotary(int64_t head_size, int64_t turned_size, double base)
      : head_size_(head_size), turned_size_(turned_size), base_(base) {}

  // positions: [N]. Computes the angles of the pass that follows, once for all layers.
  void set_positions(const torch::Tensor& positions, const torch::TensorOptions& options, const Pass& pass);
  // x: [N, heads * head_size], turned head by head.
  torch::Tensor turn(const torch::Tensor& x) const;

 private:
  int64_t head_size_, turned_size_;
  double base_;
  torch::Tensor cos_, sin_;  // [N, 1, turned_size / 2]
};

}  // namespace normscope
