#include "nn/init.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "core/random.h"
#include "core/text.h"

namespace normscope {

Init Init::linear_default(int64_t in) { return {Kind::Uniform, 1 / std::sqrt(static_cast<double>(in))}; }

torch::Tensor draw(const Init& init, torch::IntArrayRef shape, uint64_t seed, const std::string& name) {
  if (init.kind == Init::Kind::Ones) return at::ones(shape, torch::kFloat64);
  auto values = at::zeros(shape, torch::kFloat64);
  if (init.kind == Init::Kind::Zeros) return values;
  RandomStream random(seed, "init", content_hash(name));
  auto* out = values.data_ptr<double>();
  for (int64_t i = 0; i < values.numel(); ++i)
    out[i] = init.scale * (init.kind == Init::Kind::Normal ? random.normal() : 2 * random.uniform() - 1);
  if (init.zero_row >= 0 && init.zero_row < values.size(0)) values[init.zero_row].zero_();
  return values;
}

}  // namespace normscope
