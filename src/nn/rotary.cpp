#include "nn/rotary.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/pow.h>

namespace normscope {

void Rotary::set_positions(const torch::Tensor& positions, const torch::TensorOptions& options, const Pass& pass) {
  const auto exact =
      torch::TensorOptions(pass.float32_steps ? torch::kFloat32 : torch::kFloat64).device(positions.device());
  const auto exponent = at::arange(0, turned_size_, 2, exact) / static_cast<double>(turned_size_);
  const auto frequency = at::pow(base_, exponent).reciprocal();
  const auto angle = (positions.to(exact.dtype()).unsqueeze(1) * frequency).unsqueeze(1);
  cos_ = angle.cos().to(options.dtype());
  sin_ = angle.sin().to(options.dtype());
}

torch::Tensor Rotary::turn(const torch::Tensor& x) const {
  const auto heads = x.view({x.size(0), -1, head_size_});
  const auto halves = heads.narrow(-1, 0, turned_size_).chunk(2, -1);
  std::vector<torch::Tensor> parts = {halves[0] * cos_ - halves[1] * sin_, halves[1] * cos_ + halves[0] * sin_};
  if (turned_size_ < head_size_) parts.push_back(heads.narrow(-1, turned_size_, head_size_ - turned_size_));
  return at::cat(parts, -1).view(x.sizes());
}

}  // namespace normscope
