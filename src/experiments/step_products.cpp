#include "experiments/step_products.h"

#include <ATen/ops/bmm.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>

#include <string_view>

#include "core/stopwatch.h"

namespace normscope {
namespace {

thread_local std::vector<ProductShape>* noted = nullptr;

bool lies_transposed(const at::Tensor& x) { return x.stride(-2) == 1 && x.stride(-1) > 1; }

std::unique_ptr<at::ObserverContext> note(const at::RecordFunction& call) {
  const std::string_view name = call.name();
  const auto inputs = call.inputs();
  size_t left = 0;  // addmm and baddbmm name what is added first
  if (name == "aten::addmm" || name == "aten::baddbmm")
    left = 1;
  else if (name != "aten::mm" && name != "aten::bmm")
    return nullptr;
  const auto& a = inputs[left].toTensor();
  const auto& b = inputs[left + 1].toTensor();
  noted->push_back(
      {a.dim() == 3 ? a.size(0) : 1, a.size(-2), a.size(-1), b.size(-1), lies_transposed(a), lies_transposed(b)});
  return nullptr;
}

at::Tensor operand(int64_t batch, int64_t rows, int64_t columns, bool is_transposed, at::ScalarType dtype) {
  const auto size = [&](int64_t m, int64_t n) {
    return batch == 1 ? std::vector<int64_t>{m, n} : std::vector<int64_t>{batch, m, n};
  };
  if (!is_transposed) return at::full(size(rows, columns), 0.5, dtype);
  return at::full(size(columns, rows), 0.5, dtype).transpose(-2, -1);
}

}  // namespace

ProductRecorder::ProductRecorder(std::vector<ProductShape>& products) {
  noted = &products;
  handle_ = at::addThreadLocalCallback(
      at::RecordFunctionCallback(note).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
}

ProductRecorder::~ProductRecorder() {
  at::removeCallback(handle_);
  noted = nullptr;
}

double time_products(const std::vector<ProductShape>& products, at::ScalarType dtype) {
  double seconds = 0;
  for (const auto& p : products) {
    const auto left = operand(p.batch, p.rows, p.inner, p.left_is_transposed, dtype);
    const auto right = operand(p.batch, p.inner, p.columns, p.right_is_transposed, dtype);
    const auto start = Clock::now();
    const auto product = p.batch == 1 ? at::mm(left, right) : at::bmm(left, right);
    seconds += seconds_since(start);
  }
  return seconds;
}

}  // namespace normscope
