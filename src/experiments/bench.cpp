#include "experiments/bench.h"

#include <ATen/ops/cross_entropy_loss.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/error.h"
#include "core/memory.h"
#include "core/statistics.h"
#include "core/stopwatch.h"
#include "experiments/step_products.h"

namespace normscope {

BenchResult bench_training(Model& model, const TokenRows& rows, int64_t batch_size, int64_t steps,
                           const BatchOptions& options) {
  require(rows.count() > 0, ErrorKind::Data, "bench: no rows");
  FlatParameters parameters(model.parameters);
  const auto optimizer = make_optimizer({}, parameters);
  std::map<std::string, std::vector<double>> parts;
  std::vector<double> totals, limits;
  int64_t tokens = 0, samples = 0, next = 0;
  constexpr int64_t kWarmUp = 3;
  BenchResult result;
  for (int64_t step = -kWarmUp; step < steps; ++step) {
    std::vector<int64_t> indices(static_cast<size_t>(std::min(batch_size, rows.count())));
    for (auto& index : indices) index = next++ % rows.count();
    std::map<std::string, double> seconds;
    std::vector<ProductShape> products;
    forget_peak_memory();
    std::optional<ProductRecorder> recorder(products);
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
    recorder.reset();
    result.peak_memory_bytes = std::max(result.peak_memory_bytes, peak_memory());
    // In every round, so that both meet the machine in the same state.
    const double limit = time_products(products, options.dtype) + seconds["optimizer"];
    if (step < 0) continue;
    limits.push_back(limit);
    double total = 0;
    for (const auto& [part, value] : seconds) {
      parts[part].push_back(value);
      total += value;
    }
    totals.push_back(total);
    tokens += pass.rows.tokens();
    samples += pass.rows.count();
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
