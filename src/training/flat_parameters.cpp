#include "training/flat_parameters.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace normscope {
namespace {

double sum_of_squares(const torch::Tensor& values) {
  if (!values.is_cpu()) return values.to(torch::kFloat64).square().sum().item<double>();
  constexpr int64_t kChunk = 1 << 16;
  const int64_t count = values.numel(), chunks = (count + kChunk - 1) / kChunk;
  std::vector<double> sums(static_cast<size_t>(chunks));
  AT_DISPATCH_FLOATING_TYPES(values.scalar_type(), "sum_of_squares", [&] {
    const auto* x = values.const_data_ptr<scalar_t>();
    at::parallel_for(0, chunks, 1, [&](int64_t begin, int64_t end) {
      for (int64_t chunk = begin; chunk < end; ++chunk)
        for (int64_t i = chunk * kChunk; i < std::min(count, (chunk + 1) * kChunk); ++i)
          sums[static_cast<size_t>(chunk)] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    });
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

}  // namespace

FlatParameters::FlatParameters(const ParameterSet& parameters) {
  torch::NoGradGuard no_grad;
  std::vector<ParameterPtr> ordered = parameters.all();
  std::ranges::stable_partition(ordered, [](const ParameterPtr& p) { return !p->is_table; });
  int64_t size = 0;
  for (const auto& parameter : ordered) {
    size += aligned(parameter->value.numel());
    if (!parameter->is_table) dense_size_ = size;
  }
  assert(!ordered.empty());
  values_ = at::zeros({size}, ordered[0]->value.options().requires_grad(false));
  gradients_ = at::zeros({size}, values_.options());
  int64_t begin = 0;
  for (const auto& parameter : ordered) {
    const auto shape = parameter->value.sizes().vec();
    const int64_t count = parameter->value.numel();
    auto place = values_.narrow(0, begin, count).view(shape);
    auto gradient = gradients_.narrow(0, begin, count).view(shape);
    place.copy_(parameter->value);
    places_.push_back({parameter, begin, count});
    parameter->value.set_data(place);
    if (parameter->is_table) {
      parameter->row_gradient = gradient;
      parameter->touched = std::make_shared<std::vector<uint8_t>>(shape[0]);
      tables_.push_back({parameter, begin, shape[0], shape[1]});
    }
    // A defined gradient is added to in place, so backward passes write into the flat block. A table used by
    // anything but a lookup would be too, and then its rows must all count as touched: no architecture does
    // that.
    parameter->value.mutable_grad() = gradient;
    begin += aligned(count);
  }
}

std::vector<int64_t> FlatParameters::touched_rows(const Table& table) {
  std::vector<int64_t> rows;
  const auto& touched = *table.parameter->touched;
  for (size_t row = 0; row < touched.size(); ++row)
    if (touched[row]) rows.push_back(static_cast<int64_t>(row));
  return rows;
}

void FlatParameters::clear_gradients() {
  gradients_.narrow(0, 0, dense_size_).zero_();
  for (const auto& table : tables_)
    for (const int64_t row : touched_rows(table))
      gradients_.narrow(0, table.begin + row * table.width, table.width).zero_();
}

double FlatParameters::gradient_norm() const { return std::sqrt(sum_of_squares(gradients_)); }

std::vector<uint8_t> FlatParameters::touched() const {
  std::vector<uint8_t> all;
  for (const auto& table : tables_)
    all.insert(all.end(), table.parameter->touched->begin(), table.parameter->touched->end());
  return all;
}

void FlatParameters::set_touched(const std::vector<uint8_t>& touched) {
  auto next = touched.begin();
  for (const auto& table : tables_) {
    std::copy(next, next + table.rows, table.parameter->touched->begin());
    next += table.rows;
  }
  assert(next == touched.end());
}

}  // namespace normscope
