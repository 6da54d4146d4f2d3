#include "training/adamw.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

#include "kernels/kernels.h"

namespace normscope {

AdamW::AdamW(const OptimizerOptions& options, FlatParameters& parameters, bool skips_matrices)
    : options_(options),
      parameters_(parameters),
      first_(at::zeros_like(parameters.values())),
      second_(at::zeros_like(first_)) {
  for (const auto& place : parameters.places()) {
    if (place.parameter->is_table || (skips_matrices && place.parameter->is_matrix)) continue;
    const int64_t first_step = place.parameter->first_step, end = place.begin + place.count;
    const bool goes_on = !spans_.empty() && spans_.back().first_step == first_step &&
                         FlatParameters::aligned(spans_.back().begin + spans_.back().count) == place.begin;
    if (goes_on)
      spans_.back().count = end - spans_.back().begin;
    else
      spans_.push_back({place.begin, place.count, first_step});
  }
}

void AdamW::step(double learning_rate, double gradient_scale) {
  ++steps;
  const auto step_of = [&](int64_t first_step) {
    return kernels::AdamWStep{learning_rate,         options_.beta1,     options_.beta2, options_.eps,
                              options_.weight_decay, steps - first_step, gradient_scale};
  };
  for (const auto& span : spans_) update(span.begin, span.count, step_of(span.first_step));
  for (const auto& table : parameters_.tables()) {
    const auto s = step_of(table.parameter->first_step);
    // A row never looked up has zero gradient and moments: without decay its update is exactly nothing.
    if (options_.weight_decay != 0 || !parameters_.values().is_cpu()) {
      update(table.begin, table.rows * table.width, s);
      continue;
    }
    const auto rows = FlatParameters::touched_rows(table);
    at::parallel_for(0, static_cast<int64_t>(rows.size()), 64, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        update_here(table.begin + rows[static_cast<size_t>(i)] * table.width, table.width, s);
    });
  }
}

void AdamW::update(int64_t begin, int64_t count, const kernels::AdamWStep& s) {
  if (!parameters_.values().is_cpu()) return update_on_device(begin, count, s);
  at::parallel_for(0, count, 1 << 15,
                   [&](int64_t first, int64_t last) { update_here(begin + first, last - first, s); });
}

void AdamW::update_here(int64_t begin, int64_t count, const kernels::AdamWStep& s) {
  AT_DISPATCH_FLOATING_TYPES(first_.scalar_type(), "adamw", [&] {
    const auto at = [&](const torch::Tensor& x) { return x.data_ptr<scalar_t>() + begin; };
    kernels::table<scalar_t>().adamw(at(parameters_.values()), at(parameters_.gradients()), at(first_), at(second_),
                                     count, s);
  });
}

void AdamW::update_on_device(int64_t begin, int64_t count, const kernels::AdamWStep& s) {
  torch::NoGradGuard no_grad;
  auto p = parameters_.values().narrow(0, begin, count), m = first_.narrow(0, begin, count),
       v = second_.narrow(0, begin, count);
  const auto g = parameters_.gradients().narrow(0, begin, count) * s.gradient_scale;
  m.mul_(s.beta1).add_(g, 1 - s.beta1);
  v.mul_(s.beta2).addcmul_(g, g, 1 - s.beta2);
  const double size = s.learning_rate * std::sqrt(1 - std::pow(s.beta2, static_cast<double>(s.step))) /
                      (1 - std::pow(s.beta1, static_cast<double>(s.step)));
  p.addcdiv_(m, v.sqrt().add_(s.eps), -size);
  if (s.weight_decay != 0) p.mul_(1 - s.learning_rate * s.weight_decay);
}

}  // namespace normscope
