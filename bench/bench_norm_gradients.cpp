// Per-row gradients of every norm against one plain forward and backward pass over the same rows, in alternating
// rounds. NORMSCOPE_BENCH_CHECKPOINT: a folder; without it the test fixtures' BERT.
#include <ATen/ops/cross_entropy_loss.h>
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdlib>
#include <numeric>

#include "checkpoints/checkpoint.h"
#include "core/statistics.h"
#include "probes/gradient_probe.h"

namespace {

using namespace normscope;

struct Setting {
  Model model;
  TokenRows rows;
  std::vector<int64_t> all;
  std::vector<LabelChoice> choices;
};

Setting setting() {
  const char* folder = std::getenv("NORMSCOPE_BENCH_CHECKPOINT");
  const auto checkpoint =
      open_checkpoint(folder == nullptr ? std::string(NORMSCOPE_FIXTURES) + "/models/bert" : folder);
  ModelOptions options;
  options.build.num_labels = 6;
  Setting s{load_model(checkpoint, options), {}, {}, {{"learning", {}}}};
  RandomStream random(1, "bench");
  for (int i = 0; i < 256; ++i) {
    std::vector<int64_t> row(8 + random.below(29));  // about as the Emotions rows: 22 tokens
    for (auto& id : row) id = 5 + static_cast<int64_t>(random.below(90));
    s.rows.input_ids.push_back(row);
    s.choices[0].labels.push_back(static_cast<int>(random.below(6)));
  }
  s.all.resize(s.rows.input_ids.size());
  std::iota(s.all.begin(), s.all.end(), int64_t{0});
  return s;
}

constexpr size_t kBatch = 64;

void plain_pass(const Setting& s) {
  for (size_t begin = 0; begin < s.all.size(); begin += kBatch) {
    for (const auto& parameter : s.model.parameters.all()) parameter->value.mutable_grad().reset();
    const auto batch = make_batch(s.rows, std::span(s.all).subspan(begin, kBatch), {});
    Pass pass;
    pass.rows = batch.rows;
    const std::vector<int64_t> labels(s.choices[0].labels.begin() + static_cast<std::ptrdiff_t>(begin),
                                      s.choices[0].labels.begin() + static_cast<std::ptrdiff_t>(begin + kBatch));
    at::cross_entropy_loss(s.model.forward(batch.inputs, pass), torch::tensor(labels)).backward();
  }
}

void norm_gradients(benchmark::State& state) {
  const auto s = setting();
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](const auto& work) {
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  std::vector<double> plain, probed;
  for (auto _ : state) {
    plain.push_back(seconds([&] { plain_pass(s); }));
    probed.push_back(
        seconds([&] { benchmark::DoNotOptimize(probe_gradients(s.model, s.rows, s.all, s.choices, {})); }));
  }
  const auto median = [](std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
  };
  state.counters["plain_seconds"] = median(plain);
  state.counters["probe_seconds"] = median(probed);
  state.counters["of_plain"] = median(probed) / median(plain);
}
BENCHMARK(norm_gradients)->Iterations(7)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
