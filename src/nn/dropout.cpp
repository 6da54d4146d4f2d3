#include "nn/dropout.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/where.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>

namespace normscope {
namespace {

torch::Tensor drop(const torch::Tensor& x, const kernels::Dropout& dropout) {
  if (!x.is_cpu()) return x * dropout_mask(x.sizes(), dropout, x.options());
  const auto in = x.contiguous();
  auto out = at::empty_like(in);
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "dropout", [&] {
    const auto run = kernels::table<scalar_t>().dropout;
    const auto* source = in.const_data_ptr<scalar_t>();
    auto* target = out.data_ptr<scalar_t>();
    at::parallel_for(0, in.numel(), 16384,
                     [&](int64_t begin, int64_t end) { run(source, target, begin, end, dropout); });
  });
  return out;
}

struct DropoutFunction : torch::autograd::Function<DropoutFunction> {
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& x, double p,
                               int64_t key) {
    context->saved_data["p"] = p;
    context->saved_data["key"] = key;
    return drop(x, dropout_of(p, static_cast<uint32_t>(key)));
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list gradients) {
    const auto dropout =
        dropout_of(context->saved_data["p"].toDouble(), static_cast<uint32_t>(context->saved_data["key"].toInt()));
    return {drop(gradients[0], dropout), {}, {}};
  }
};

}  // namespace

kernels::Dropout dropout_of(double p, uint32_t key) {
  return {key, static_cast<uint32_t>(std::llround(p * 4294967296.0)), 1 - p};
}

torch::Tensor dropout(const torch::Tensor& x, double p, Pass& pass) {
  if (!pass.is_training || p <= 0) return x;
  return DropoutFunction::apply(x, p, static_cast<int64_t>(pass.next_dropout_key()));
}

torch::Tensor dropout_mask(torch::IntArrayRef shape, const kernels::Dropout& dropout,
                           const torch::TensorOptions& options) {
  constexpr int64_t kWord = 0xffffffff;
  int64_t count = 1;
  for (const auto size : shape) count *= size;
  // kernels::hash32 in 64-bit integers: every product of two 32-bit words is cut back to 32 bits.
  auto x = at::arange(count, options.dtype(torch::kInt64)).bitwise_and(kWord);
  const auto times = [](const torch::Tensor& a, int64_t b) {
    return ((a * (b & 0xffff)) + ((a * (b >> 16)).bitwise_and(0xffff) * 65536)).bitwise_and(kWord);
  };
  x = (times(x, 0x9e3779b1) + static_cast<int64_t>(dropout.key)).bitwise_and(kWord);
  x = times(x.bitwise_xor(x.bitwise_right_shift(16)), 0x7feb352d);
  x = times(x.bitwise_xor(x.bitwise_right_shift(15)), 0x846ca68b);
  x = x.bitwise_xor(x.bitwise_right_shift(16));
  return (x >= static_cast<int64_t>(dropout.threshold)).to(options).div(dropout.keep).view(shape);
}

}  // namespace normscope
