#include "nn/embedding.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/embedding_dense_backward.h>
#include <ATen/ops/index_add.h>
#include <torch/csrc/autograd/custom_function.h>

namespace normscope {
namespace {

// Columns are split over threads, so every sum runs in the order of the ids.
void add_rows(const torch::Tensor& gradient, const torch::Tensor& ids, Parameter& table) {
  if (!gradient.is_cpu()) {
    table.row_gradient.index_add_(0, ids, gradient);
    const auto touched = ids.cpu();
    for (int64_t i = 0; i < touched.numel(); ++i) (*table.touched)[touched.const_data_ptr<int64_t>()[i]] = 1;
    return;
  }
  const auto source = gradient.contiguous();
  const int64_t* rows = ids.const_data_ptr<int64_t>();
  const int64_t N = ids.numel(), D = source.size(1);
  for (int64_t i = 0; i < N; ++i) (*table.touched)[rows[i]] = 1;
  AT_DISPATCH_FLOATING_TYPES(source.scalar_type(), "add_rows", [&] {
    const auto* from = source.const_data_ptr<scalar_t>();
    auto* to = table.row_gradient.data_ptr<scalar_t>();
    at::parallel_for(0, D, 64, [&](int64_t begin, int64_t end) {
      for (int64_t i = 0; i < N; ++i)
        for (int64_t k = begin; k < end; ++k) to[rows[i] * D + k] += from[i * D + k];
    });
  });
}

struct LookUp : torch::autograd::Function<LookUp> {
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& value,
                               const torch::Tensor& ids, int64_t table) {
    context->save_for_backward({ids});
    context->saved_data["table"] = table;
    context->saved_data["rows"] = value.size(0);
    return at::embedding(value, ids);
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list gradients) {
    const auto ids = context->get_saved_variables()[0];
    // The model owns the table and outlives the graph of any of its passes.
    auto* table = reinterpret_cast<Parameter*>(context->saved_data["table"].toInt());
    if (table->row_gradient.defined()) {
      add_rows(gradients[0], ids, *table);
      return {torch::Tensor(), {}, {}};
    }
    return {at::embedding_dense_backward(gradients[0], ids, context->saved_data["rows"].toInt(), -1, false), {}, {}};
  }
};

}  // namespace

torch::Tensor look_up(const ParameterPtr& table, const torch::Tensor& ids) {
  return LookUp::apply(table->value, ids, reinterpret_cast<int64_t>(table.get()));
}

}  // namespace normscope
