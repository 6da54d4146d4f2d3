#include "probes/singular_values.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_eigh.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>

namespace normscope {
namespace {

using torch::Tensor;

Tensor random_start(torch::IntArrayRef shape, uint64_t seed, const torch::TensorOptions& options) {
  auto start = at::empty(shape, torch::kFloat64);
  RandomStream random(seed, "lanczos");
  double* values = start.data_ptr<double>();
  for (int64_t i = 0; i < start.numel(); ++i) values[i] = random.normal();
  return start.to(options.device());
}

class Lanczos {
 public:
  Lanczos(const LinearMap& map, torch::IntArrayRef shape, const Segments& segments, const SingularValueOptions& options)
      : map_(map), segments_(segments), options_(options) {
    auto start = random_start(shape, options.seed, segments.lengths().options());
    basis_.push_back(scaled(start, dot(start, start).sqrt()));
  }

  std::vector<SingularValue> run() {
    const int64_t B = segments_.lengths().size(0);
    std::vector<SingularValue> result(static_cast<size_t>(B));
    for (int64_t step = 1; step <= options_.max_steps; ++step) {
      expand();
      if (step < 3 || (step % 3 != 0 && step < options_.max_steps)) continue;
      if (read(result)) break;
    }
    return result;
  }

 private:
  Tensor dot(const Tensor& a, const Tensor& b) const { return segments_.sum((a * b).sum(1)); }

  // A row whose length is nothing has found its whole invariant subspace: it goes on as zeros.
  Tensor scaled(const Tensor& x, const Tensor& length) const {
    const auto inverse = at::where(length > 0, length.reciprocal(), at::zeros_like(length));
    return x * segments_.spread(inverse).unsqueeze(1);
  }

  void expand() {
    const auto& v = basis_.back();
    auto w = map_.transposed_product(map_.product(v));
    diagonal_.push_back(dot(v, w));
    for (int round = 0; round < 2; ++round)
      for (const auto& earlier : basis_) w = w - earlier * segments_.spread(dot(earlier, w)).unsqueeze(1);
    auto length = dot(w, w).sqrt();
    // What is left of an exhausted subspace is rounding.
    length = at::where(length > 1e-12 * diagonal_.front().abs(), length, at::zeros_like(length));
    off_diagonal_.push_back(length);
    basis_.push_back(scaled(w, length));
  }

  // Ritz values of every row; true when all residuals are small enough.
  bool read(std::vector<SingularValue>& result) const {
    const auto k = static_cast<int64_t>(diagonal_.size());
    const int64_t B = segments_.lengths().size(0);
    auto matrix = at::zeros({B, k, k}, torch::kFloat64);
    for (int64_t i = 0; i < k; ++i) {
      matrix.select(1, i).select(1, i).copy_(diagonal_[static_cast<size_t>(i)]);
      if (i + 1 == k) continue;
      matrix.select(1, i).select(1, i + 1).copy_(off_diagonal_[static_cast<size_t>(i)]);
      matrix.select(1, i + 1).select(1, i).copy_(off_diagonal_[static_cast<size_t>(i)]);
    }
    const auto [values, vectors] = at::linalg_eigh(matrix);
    bool done = true;
    for (int64_t row = 0; row < B; ++row) {
      const double square = std::max(0.0, values[row][k - 1].item<double>());
      const double last = vectors[row][k - 1][k - 1].item<double>();
      const double residual = off_diagonal_.back()[row].item<double>() * std::abs(last);
      result[static_cast<size_t>(row)] = {std::sqrt(square), std::sqrt(square + residual)};
      done = done && residual <= options_.tolerance * square;
    }
    return done;
  }

  const LinearMap& map_;
  const Segments& segments_;
  SingularValueOptions options_;
  std::vector<Tensor> basis_;                    // [N, D] each, of length 1 in every row
  std::vector<Tensor> diagonal_, off_diagonal_;  // [B] each
};

}  // namespace

std::vector<SingularValue> largest_singular_values(const LinearMap& map, torch::IntArrayRef shape,
                                                   const Segments& segments, const SingularValueOptions& options) {
  return Lanczos(map, shape, segments, options).run();
}

LinearMap jacobian(const Tensor& output, const Tensor& input) {
  // J' u is linear in u, so its derivative by u, taken once with u as a variable, gives J v for every v.
  const auto u = at::ones_like(output).requires_grad_();
  const auto pulled = torch::autograd::grad({output}, {input}, {u}, /*retain_graph=*/true, /*create_graph=*/true)[0];
  LinearMap map;
  map.transposed_product = [=](const Tensor& v) {
    return torch::autograd::grad({output}, {input}, {v}, true)[0].detach();
  };
  map.product = [=](const Tensor& v) {
    const auto pushed = torch::autograd::grad({pulled}, {u}, {v}, true, false, /*allow_unused=*/true)[0];
    return pushed.defined() ? pushed.detach() : at::zeros_like(output);
  };
  return map;
}

}  // namespace normscope
