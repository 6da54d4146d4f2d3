// How a parameter starts when the checkpoint does not give it.
#pragma once
#include <torch/types.h>

#include <cstdint>
#include <string>

namespace normscope {

struct Init {
  enum class Kind { Zeros, Ones, Normal, Uniform } kind = Kind::Zeros;
  double scale = 0.0;     // standard deviation, or half width of the uniform
  int64_t zero_row = -1;  // this row is zero (transformers' padding_idx)

  static Init zeros() { return {}; }
  static Init ones() { return {Kind::Ones}; }
  static Init normal(double deviation, int64_t zero_row = -1) { return {Kind::Normal, deviation, zero_row}; }
  // torch.nn.Linear's default for weight and bias alike: U(-1/sqrt(in), 1/sqrt(in)).
  static Init linear_default(int64_t in);
};

// Draws in float64 from the stream (seed, "init", name): no tensor depends on which others are drawn.
torch::Tensor draw(const Init& init, torch::IntArrayRef shape, uint64_t seed, const std::string& name);

}  // namespace normscope
