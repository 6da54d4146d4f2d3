#include "nn/scope.h"

#include <ATen/ops/from_blob.h>

#include "core/error.h"

namespace normscope {
namespace {

torch::ScalarType scalar_type(DType dtype) {
  switch (dtype) {
    case DType::F64:
      return torch::kFloat64;
    case DType::F32:
      return torch::kFloat32;
    case DType::F16:
      return torch::kFloat16;
    case DType::BF16:
      return torch::kBFloat16;
    case DType::I64:
      return torch::kInt64;
    case DType::I32:
      return torch::kInt32;
    case DType::I16:
      return torch::kInt16;
    case DType::I8:
      return torch::kInt8;
    case DType::U8:
      return torch::kUInt8;
    case DType::BOOL:
      return torch::kBool;
  }
  return torch::kFloat32;
}

}  // namespace

torch::Tensor to_tensor(const TensorView& view, torch::ScalarType dtype) {
  // from_blob wants a mutable pointer; the clone below is all that ever reads it.
  auto* bytes = const_cast<char*>(view.bytes.data());
  return at::from_blob(bytes, view.shape, torch::TensorOptions(scalar_type(view.dtype)))
      .to(dtype, false, /*copy=*/true);
}

Scope::Scope(const Checkpoint* checkpoint, std::string base, LoadOptions options) : state_(std::make_shared<State>()) {
  state_->checkpoint = checkpoint;
  state_->base = std::move(base);
  state_->options = options;
}

Scope Scope::operator/(const std::string& name) const {
  Scope child = *this;
  child.prefix_ = full(name);
  return child;
}

Scope Scope::block(const std::string& name, int index) const {
  Scope child = *this / (name + "." + std::to_string(index));
  child.layer_ = index;
  return child;
}

Scope Scope::optional() const {
  Scope same = *this;
  same.is_optional_ = true;
  return same;
}

ParameterPtr Scope::parameter(const std::string& name, std::vector<int64_t> shape, const Init& init) const {
  const auto& options = state_->options;
  auto parameter = std::make_shared<Parameter>();
  parameter->name = full(name);
  torch::Tensor value;
  if (state_->checkpoint != nullptr && !options.random_start) {
    const auto view = state_->checkpoint->find(parameter->name, state_->base);
    if (view && view->shape == shape) value = to_tensor(*view, options.dtype);
    require(is_optional_ || view.has_value(), ErrorKind::Checkpoint, state_->checkpoint->folder().string(),
            ": no tensor '", parameter->name, "', expected shape ", shape_text(shape));
    require(is_optional_ || value.defined(), ErrorKind::Checkpoint, state_->checkpoint->folder().string(), ": tensor '",
            parameter->name, "' has shape ", view ? shape_text(view->shape) : "", ", expected ", shape_text(shape));
  }
  if (!value.defined()) {
    value = draw(init, shape, options.init_seed, parameter->name).to(options.dtype);
    state_->drawn.insert(parameter->name);
  }
  parameter->value = value.to(options.device).requires_grad_();
  state_->parameters.add(parameter);
  return parameter;
}

ParameterPtr Scope::table(const std::string& name, int64_t rows, int64_t width, int64_t zero_row) const {
  auto table = parameter(name + ".weight", {rows, width}, Init::normal(initializer_range(), zero_row));
  table->is_table = true;
  return table;
}

Linear Scope::linear(const std::string& name, int64_t in, int64_t out, bool has_bias) const {
  return linear(name, in, out, has_bias, Init::normal(initializer_range()), Init::zeros());
}

Linear Scope::linear(const std::string& name, int64_t in, int64_t out, bool has_bias, const Init& weight,
                     const Init& bias) const {
  const Linear map{parameter(name + ".weight", {out, in}, weight),
                   has_bias ? parameter(name + ".bias", {out}, bias) : nullptr, false};
  map.weight->is_matrix = !is_optional_;  // what a checkpoint may lack is the head's
  return map;
}

Linear Scope::conv1d(const std::string& name, int64_t in, int64_t out, double deviation) const {
  const Linear map{parameter(name + ".weight", {in, out}, Init::normal(deviation)),
                   parameter(name + ".bias", {out}, Init::zeros()), true};
  map.weight->is_matrix = !is_optional_;
  return map;
}

NormPtr Scope::norm(const std::string& name, int64_t size, double eps, NormRole role, NormKind kind) const {
  auto weight = parameter(name + ".weight", {size}, Init::ones());
  auto bias = kind == NormKind::LayerNorm ? parameter(name + ".bias", {size}, Init::zeros()) : nullptr;
  auto norm = std::make_shared<Norm>(NormSite{full(name), layer_, role}, kind, weight, bias, size, eps);
  state_->norms.push_back(norm);
  return norm;
}

}  // namespace normscope
