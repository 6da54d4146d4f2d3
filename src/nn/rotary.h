// Rotary positions (Su et al. 2021): pairs of a head's columns turned by an angle that grows with the position.
#pragma once
#include "nn/pass.h"

namespace normscope {

class Rotary {
 public:
  // head_size is even; column c and column c + head_size / 2 turn by position / base^(2c / head_size).
  Rotary(int64_t head_size, double base) : head_size_(head_size), base_(base) {}

  // positions: [N]. Computes the angles of the pass that follows, once for all layers.
  void set_positions(const torch::Tensor& positions, const torch::TensorOptions& options, const Pass& pass);
  // x: [N, heads * head_size], turned head by head.
  torch::Tensor turn(const torch::Tensor& x) const;

 private:
  int64_t head_size_;
  double base_;
  torch::Tensor cos_, sin_;  // [N, 1, head_size / 2]
};

}  // namespace normscope
