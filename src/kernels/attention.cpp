// Softmax attention of one head over one packed row, forward and backward, with dropout from hashes.
#include <algorithm>
#include <limits>

#include "kernels/exponential.h"
#include "kernels/variant.h"

namespace normscope::kernels::NORMSCOPE_KERNELS {
namespace {

// Keys [begin, end) that query i sees; key 0 comes on top when it is global and begin > 0.
struct Visible {
  int64_t begin, end;
  bool first;
};

Visible visible(const AttentionPattern& pattern, int64_t i, int64_t tokens) {
  Visible v{0, pattern.causal ? i + 1 : tokens, false};
  if (pattern.window > 0) {
    v.begin = std::max<int64_t>(0, pattern.causal ? i + 1 - pattern.window : i - pattern.window);
    if (!pattern.causal) v.end = std::min(tokens, i + pattern.window + 1);
    v.first = pattern.first_is_global && v.begin > 0;
  }
  return v;
}

// out[k][t] = in[t][k]
template <typename Real>
void transpose(const Real* in, int64_t stride, int64_t T, int64_t K, Real* out) {
  for (int64_t t = 0; t < T; ++t)
    for (int64_t k = 0; k < K; ++k) out[k * T + t] = in[t * stride + k];
}

// out[j] = sum_k row[k] * columns[k][j] for j in [begin, end); columns: [K, T]
template <typename Real>
void row_times(const Real* row, const Real* columns, int64_t K, int64_t T, int64_t begin, int64_t end, Real* out) {
  for (int64_t j = begin; j < end; ++j) out[j] = 0;
  int64_t k = 0;
  for (; k + 4 <= K; k += 4) {
    const Real a = row[k], b = row[k + 1], c = row[k + 2], d = row[k + 3];
    const Real *p = columns + k * T, *q = p + T, *r = q + T, *s = r + T;
    for (int64_t j = begin; j < end; ++j) out[j] += a * p[j] + b * q[j] + c * r[j] + d * s[j];
  }
  for (; k < K; ++k)
    for (int64_t j = begin; j < end; ++j) out[j] += row[k] * columns[k * T + j];
}

// Scores of query i, softmax numerators in place; returns log sum exp.
template <typename Real>
Real scores(const AttentionTask<Real>& task, const Real* keys, int64_t i, const Visible& v, Real* row) {
  const Real* query = task.query + i * task.query_stride;
  row_times(query, keys, task.head_size, task.tokens, v.begin, v.end, row);
  if (v.first) row_times(query, keys, task.head_size, task.tokens, 0, 1, row);
  Real largest = v.first ? row[0] * task.scale : -std::numeric_limits<Real>::infinity();
  for (int64_t j = v.begin; j < v.end; ++j) {
    row[j] *= task.scale;
    largest = std::max(largest, row[j]);
  }
  if (v.first) row[0] *= task.scale;
  return largest;
}

template <typename Real>
Real dropped(Real value, const Dropout& dropout, Real factor, uint32_t index) {
  return hash32(dropout.key, index) < dropout.threshold ? Real(0) : value * factor;
}

template <typename Real>
void drop_row(const AttentionTask<Real>& task, int64_t i, const Visible& v, const Real* in, Real* out) {
  const auto base = static_cast<uint32_t>(i * task.tokens);
  const Real factor = Real(1 / task.dropout.keep);
  for (int64_t j = v.begin; j < v.end; ++j)
    out[j] = dropped(in[j], task.dropout, factor, base + static_cast<uint32_t>(j));
  if (v.first) out[0] = dropped(in[0], task.dropout, factor, base);
}

}  // namespace

template <typename Real>
void attention_forward(const AttentionTask<Real>& task, Real* scratch) {
  const int64_t T = task.tokens, K = task.head_size;
  Real *keys = scratch, *row = keys + K * T;
  transpose(task.key, task.key_stride, T, K, keys);
  for (int64_t i = 0; i < T; ++i) {
    const Visible v = visible(task.pattern, i, T);
    const Real largest = scores(task, keys, i, v, row);
    Real sum = 0;
    if (v.first) sum += row[0] = fast_exp(row[0] - largest);
    for (int64_t j = v.begin; j < v.end; ++j) row[j] = fast_exp(row[j] - largest);
    for (int64_t j = v.begin; j < v.end; ++j) sum += row[j];
    task.log_sum[i * task.log_sum_stride] = largest + std::log(sum);
    if (task.dropout.threshold > 0) drop_row(task, i, v, row, row);
    Real* out = task.output + i * task.output_stride;
    for (int64_t k = 0; k < K; ++k) out[k] = 0;
    const Real inverse = 1 / sum;
    auto add = [&](int64_t j) {
      const Real weight = row[j] * inverse;
      const Real* value = task.value + j * task.value_stride;
      for (int64_t k = 0; k < K; ++k) out[k] += weight * value[k];
    };
    if (v.first) add(0);
    for (int64_t j = v.begin; j < v.end; ++j) add(j);
  }
}

template <typename Real>
void attention_backward(const AttentionTask<Real>& task, Real* scratch) {
  const int64_t T = task.tokens, K = task.head_size;
  Real *keys = scratch, *values = keys + K * T, *row = values + K * T, *weights = row + T, *gradient = weights + T;
  transpose(task.key, task.key_stride, T, K, keys);
  transpose(task.value, task.value_stride, T, K, values);
  for (int64_t i = 0; i < T; ++i) {
    const Visible v = visible(task.pattern, i, T);
    scores(task, keys, i, v, row);
    const Real log_sum = task.log_sum[i * task.log_sum_stride];
    if (v.first) row[0] = fast_exp(row[0] - log_sum);
    for (int64_t j = v.begin; j < v.end; ++j) row[j] = fast_exp(row[j] - log_sum);

    const Real* out_gradient = task.output_gradient + i * task.output_gradient_stride;
    row_times(out_gradient, values, K, T, v.begin, v.end, gradient);
    if (v.first) row_times(out_gradient, values, K, T, 0, 1, gradient);
    const Real* kept = row;
    if (task.dropout.threshold > 0) {
      drop_row(task, i, v, row, weights);
      drop_row(task, i, v, gradient, gradient);
      kept = weights;
    }
    const Real* out = task.output + i * task.output_stride;
    Real through_sum = 0;  // sum_j P_ij dP_ij = <dO_i, O_i>
    for (int64_t k = 0; k < K; ++k) through_sum += out_gradient[k] * out[k];

    const Real* query = task.query + i * task.query_stride;
    Real* query_gradient = task.query_gradient + i * task.query_gradient_stride;
    for (int64_t k = 0; k < K; ++k) query_gradient[k] = 0;
    auto add = [&](int64_t j) {
      const Real score_gradient = row[j] * (gradient[j] - through_sum) * task.scale;
      const Real weight = kept[j];
      const Real* key = task.key + j * task.key_stride;
      Real* key_gradient = task.key_gradient + j * task.key_gradient_stride;
      Real* value_gradient = task.value_gradient + j * task.value_gradient_stride;
      for (int64_t k = 0; k < K; ++k) {
        query_gradient[k] += score_gradient * key[k];
        key_gradient[k] += score_gradient * query[k];
        value_gradient[k] += weight * out_gradient[k];
      }
    };
    if (v.first) add(0);
    for (int64_t j = v.begin; j < v.end; ++j) add(j);
  }
}

template void attention_forward(const AttentionTask<float>&, float*);
template void attention_forward(const AttentionTask<double>&, double*);
template void attention_backward(const AttentionTask<float>&, float*);
template void attention_backward(const AttentionTask<double>&, double*);

}  // namespace normscope::kernels::NORMSCOPE_KERNELS
