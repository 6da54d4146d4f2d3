// Packed attention on the CPU: one task a row and key head, run by the kernels.
#include "nn/attention.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "nn/dropout.h"

namespace normscope {
namespace {

using torch::Tensor;

struct Settings {
  AttentionShape shape;
  PackedRows rows;
  bool drops;
  uint32_t dropout_key;
};

struct Gradients {
  Tensor output, query, key, value;
};

// Rows of a matrix whose columns are contiguous; a slice of a fused projection qualifies.
Tensor with_dense_columns(const Tensor& x) { return x.stride(1) == 1 ? x : x.contiguous(); }

// Runs the forward kernel (no gradients) or the backward kernel over every row and head.
void run_tasks(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& output, const Tensor& log_sum,
               const Settings& s, const Gradients* gradients) {
  const int64_t H = s.shape.num_heads, G = s.shape.num_key_value_heads, K = query.size(1) / H;
  int64_t longest = 0;
  for (int64_t row = 0; row < s.rows.count(); ++row) longest = std::max(longest, s.rows.length(row));
  AT_DISPATCH_FLOATING_TYPES(query.scalar_type(), "attend", [&] {
    const auto& table = kernels::table<scalar_t>();
    const auto at_token = [](const Tensor& x, int64_t token, int64_t column) {
      return x.data_ptr<scalar_t>() + token * x.stride(0) + column;
    };
    // A task owns one key head of one row and walks the query heads that share it, so no two add to the same
    // place.
    at::parallel_for(0, s.rows.count() * G, 1, [&](int64_t first, int64_t last) {
      std::vector<scalar_t> scratch(kernels::attention_scratch(longest, K));
      for (int64_t task_index = first; task_index < last; ++task_index) {
        const int64_t row = task_index / G, group = task_index % G, token = s.rows.offsets[row];
        for (int64_t head = group * (H / G); head < (group + 1) * (H / G); ++head) {
          kernels::AttentionTask<scalar_t> task{};
          task.tokens = s.rows.length(row);
          task.head_size = K;
          task.query = at_token(query, token, head * K);
          task.key = at_token(key, token, group * K);
          task.value = at_token(value, token, group * K);
          task.query_stride = query.stride(0);
          task.key_stride = key.stride(0);
          task.value_stride = value.stride(0);
          task.output = at_token(output, token, head * K);
          task.output_stride = output.stride(0);
          task.log_sum = at_token(log_sum, token, head);
          task.log_sum_stride = H;
          task.scale = scalar_t(s.shape.scale);
          task.pattern = s.shape.pattern;
          if (s.drops)
            task.dropout =
                dropout_of(s.shape.dropout, kernels::hash32(s.dropout_key, static_cast<uint32_t>(row * H + head)));
          if (gradients == nullptr) {
            table.attention_forward(task, scratch.data());
            continue;
          }
          task.output_gradient = at_token(gradients->output, token, head * K);
          task.query_gradient = at_token(gradients->query, token, head * K);
          task.key_gradient = at_token(gradients->key, token, group * K);
          task.value_gradient = at_token(gradients->value, token, group * K);
          task.output_gradient_stride = gradients->output.stride(0);
          task.query_gradient_stride = gradients->query.stride(0);
          task.key_gradient_stride = gradients->key.stride(0);
          task.value_gradient_stride = gradients->value.stride(0);
          table.attention_backward(task, scratch.data());
        }
      }
    });
  });
}

struct AttendFunction : torch::autograd::Function<AttendFunction> {
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& q, const Tensor& k, const Tensor& v,
                        const c10::intrusive_ptr<torch::CustomClassHolder>& holder) {
    const auto& s = static_cast<const SettingsHolder&>(*holder).settings;
    const auto query = with_dense_columns(q), key = with_dense_columns(k), value = with_dense_columns(v);
    auto output = at::empty({query.size(0), query.size(1)}, query.options());
    auto log_sum = at::empty({query.size(0), s.shape.num_heads}, query.options());
    run_tasks(query, key, value, output, log_sum, s, nullptr);
    context->save_for_backward({query, key, value, output, log_sum});
    context->saved_data["settings"] = c10::IValue::make_capsule(holder);
    return output;
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto holder = context->saved_data["settings"].toCapsule();
    const auto& s = static_cast<const SettingsHolder&>(*holder).settings;
    Gradients g{with_dense_columns(gradients[0]), at::empty(saved[0].sizes(), saved[0].options()),
                at::zeros(saved[1].sizes(), saved[1].options()), at::zeros(saved[2].sizes(), saved[2].options())};
    run_tasks(saved[0], saved[1], saved[2], saved[3], saved[4], s, &g);
    return {g.query, g.key, g.value, {}};
  }

  struct SettingsHolder : torch::CustomClassHolder {
    explicit SettingsHolder(Settings s) : settings(std::move(s)) {}
    Settings settings;
  };
};

}  // namespace

Tensor attend(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionShape& shape, Pass& pass,
              const ScoreBias& bias) {
  if (bias || !query.is_cpu() || pass.plain_attention)
    return pass.kept(attend_plainly(query, key, value, shape, pass, bias));
  const bool drops = pass.is_training && shape.dropout > 0;
  auto holder = c10::make_intrusive<AttendFunction::SettingsHolder>(
      Settings{shape, pass.rows, drops, drops ? pass.next_dropout_key() : 0});
  return pass.kept(AttendFunction::apply(query, key, value, c10::intrusive_ptr<torch::CustomClassHolder>(holder)));
}

}  // namespace normscope
