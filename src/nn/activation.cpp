#include "nn/activation.h"

#include <ATen/ops/gelu.h>
#include <ATen/ops/hardswish.h>
#include <ATen/ops/hardtanh.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/mish.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/relu6.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softplus.h>

#include <algorithm>
#include <iterator>

#include "core/error.h"

namespace normscope {
namespace {

using torch::Tensor;

struct Row {
  const char* name;
  Activation function;
};

Tensor gelu(const Tensor& x) { return at::gelu(x); }
Tensor gelu_tanh(const Tensor& x) { return at::gelu(x, "tanh"); }

// One row a name that transformers' ACT2FN knows and that needs no parameters of its own.
constexpr Row kActivations[] = {
    {"gelu", gelu},
    {"gelu_python", gelu},
    {"gelu_10", [](const Tensor& x) { return at::gelu(x).clamp(-10, 10); }},
    {"gelu_new", gelu_tanh},
    {"gelu_fast", gelu_tanh},  // the same polynomial, factored otherwise
    {"gelu_pytorch_tanh", gelu_tanh},
    {"gelu_accurate", gelu_tanh},
    {"quick_gelu", [](const Tensor& x) { return x * (1.702 * x).sigmoid(); }},
    {"relu", [](const Tensor& x) { return at::relu(x); }},
    {"relu2", [](const Tensor& x) { return at::relu(x).square(); }},
    {"relu6", [](const Tensor& x) { return at::relu6(x); }},
    {"leaky_relu", [](const Tensor& x) { return at::leaky_relu(x); }},
    {"silu", [](const Tensor& x) { return at::silu(x); }},
    {"swish", [](const Tensor& x) { return at::silu(x); }},
    {"mish", [](const Tensor& x) { return at::mish(x); }},
    {"hardswish", [](const Tensor& x) { return at::hardswish(x); }},
    {"sigmoid", [](const Tensor& x) { return x.sigmoid(); }},
    {"tanh", [](const Tensor& x) { return x.tanh(); }},
    {"linear", [](const Tensor& x) { return x; }},
};

}  // namespace

Activation activation(const std::string& name) {
  const auto* found = std::ranges::find_if(kActivations, [&](const Row& row) { return name == row.name; });
  if (found != std::end(kActivations)) return found->function;
  std::string known;
  for (const auto& row : kActivations) known += std::string(known.empty() ? "" : ", ") + row.name;
  throw Error(ErrorKind::Checkpoint, "activation '" + name + "' is not supported; known: " + known);
}

}  // namespace normscope
