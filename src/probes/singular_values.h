// Largest singular values of linear maps that are known by their products alone, one a packed row.
#pragma once
#include <functional>

#include "measurements/gradient_bounds.h"
#include "probes/segments.h"

namespace normscope {

// Rows do not mix: the map is block diagonal over the packed rows. v and u: [N, D].
struct LinearMap {
  std::function<torch::Tensor(const torch::Tensor& v)> product;             // J v
  std::function<torch::Tensor(const torch::Tensor& u)> transposed_product;  // J' u
};

struct SingularValueOptions {
  double tolerance = 1e-4;  // relative residual of J'J at which a row is done
  int64_t max_steps = 300;
  uint64_t seed = 0;
};

// Lanczos on J'J for all rows at once, each with its own coefficients, reorthogonalised twice. `shape`: of v.
std::vector<SingularValue> largest_singular_values(const LinearMap& map, torch::IntArrayRef shape,
                                                   const Segments& segments, const SingularValueOptions& options);

// d output / d input of a graph that stays: products by autograd, J v by differentiating J' u a second time.
LinearMap jacobian(const torch::Tensor& output, const torch::Tensor& input);

}  // namespace normscope
