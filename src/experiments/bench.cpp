#include "experiments/bench.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/memory.h"
#include "core/statistics.h"
#include "core/stopwatch.h"

namespace normscope {
namespace {

// The products of every weight matrix: forward, and backward for the input and for the weight. Head matrices see
// one token a row.
class Limit {
 public:
  Limit(const Model& model, torch::ScalarType dtype) {
    for (const auto& parameter : model.parameters.all()) {
      if (parameter->is_table || parameter->value.dim() != 2) continue;
      const bool is_head = parameter->name.find(".layer.") == std::string::npos &&
                           parameter->name.find(".h.") == std::string::npos &&
                           parameter->name.find(".layers.") == std::string::npos;
      const auto out = parameter->value.size(0), in = parameter->value.size(1);
      matrices_.push_back({at::randn({in, out}, dtype), is_head});
    }
  }

  void multiply(int64_t tokens, int64_t rows) {
    for (const auto& [weight, is_head] : matrices_) {
      const int64_t count = is_head ? rows : tokens;
      const auto x = at::randn({count, weight.size(0)}, weight.options());
      const auto gradient = at::randn({count, weight.size(1)}, weight.options());
      const auto start = Clock::now();
      at::mm(x, weight);
      at::mm(gradient, weight.t());
      at::mm(x.t(), gradient);
      seconds_ += seconds_since(start);
    }
  }

  double take_seconds() { return std::exchange(seconds_, 0.0); }

 private:
  std::vector<std::pair<torch::Tensor, bool>> matrices_;
  double seconds_ = 0;
};

}  // namespace

BenchResult bench_training(Model& model, const TokenRows& rows, int64_t batch_size, int64_t steps,
                           const BatchOptions& options) {
  require(rows.count() > 0, ErrorKind::Data, "bench: no rows");
  FlatParameters parameters(model.parameters);
  const auto optimizer = make_optimizer({}, parameters);
  std::map<std::string, std::vector<double>> parts;
  std::vector<double> totals, limits;
  int64_t tokens = 0, samples = 0, next = 0;
  constexpr int64_t kWarmUp = 3;
  std::vector<PackedRows> timed;
  for (int64_t step = -kWarmUp; step < steps; ++step) {
    std::vector<int64_t> indices(static_cast<size_t>(std::min(batch_size, rows.count())));
    for (auto& index : indices) index = next++ % rows.count();
    std::map<std::string, double> seconds;
    auto start = Clock::now();
    const auto lap = [&](const char* part) {
      seconds[part] = seconds_since(start);
      start = Clock::now();
    };
    const auto batch = make_batch(rows, indices, options);
    lap("data");
    parameters.clear_gradients();
    Pass pass;
    pass.rows = batch.rows;
    pass.is_training = true;
    pass.dropout_key = static_cast<uint64_t>(step + kWarmUp);
    const auto loss = at::cross_entropy_loss(model.forward(batch.inputs, pass), batch.labels);
    lap("forward");
    loss.backward();
    lap("backward");
    optimizer->step(2e-5, 1);
    lap("optimizer");
    if (step < 0) continue;
    double total = 0;
    for (const auto& [part, value] : seconds) {
      parts[part].push_back(value);
      total += value;
    }
    totals.push_back(total);
    tokens += pass.rows.tokens();
    samples += pass.rows.count();
    timed.push_back(pass.rows);
  }
  BenchResult result;
  result.peak_memory_bytes = peak_memory();
  Limit limit(model, options.dtype);
  for (const auto& timed_rows : timed) {
    limit.multiply(timed_rows.tokens(), timed_rows.count());
    limits.push_back(limit.take_seconds() + median(parts["optimizer"]));
  }
  result.steps = steps;
  result.seconds_per_step = median(totals);
  result.limit_seconds_per_step = median(limits);
  const double all = std::accumulate(totals.begin(), totals.end(), 0.0);
  result.samples_per_second = static_cast<double>(samples) / all;
  result.tokens_per_second = static_cast<double>(tokens) / all;
  for (const auto& [part, values] : parts) result.parts[part] = median(values);
  return result;
}

}  // namespace normscope
