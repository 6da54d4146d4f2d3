// normscope bench
#include "experiments/bench.h"

#include <ATen/Parallel.h>

#include <cstdio>
#include <iostream>

#include "cli/commands.h"
#include "cli/data_options.h"
#include "core/parallel.h"
#include "experiments/build_model.h"
#include "experiments/open_model.h"
#include "experiments/prepared_data.h"

namespace normscope {
namespace {

struct Arguments {
  std::string checkpoint;
  DataArguments data;
  int64_t steps = 20;
  bool json = false;
};

int bench(const Arguments& a) {
  const int cores = usable_cores();
  at::set_num_threads(cores);
  BatchOptions batch;
  batch.device = find_device("auto");
  const auto checkpoint = open_checkpoint(a.checkpoint);
  Recipe recipe;
  recipe.data = data_recipe(a.data, {});
  auto options = data_options(recipe.data);
  InputReader reader(recipe.data, checkpoint, false, cores);
  reader.check_pictures(options);
  const auto splits = load_splits(a.data.file, "", "", options, checkpoint.labels());
  // A text longer than the model's positions is cut: bench asks for speed, not for a recipe.
  Recipe any_length = recipe;
  any_length.data.max_length = 1;
  auto model = build_model(any_length, checkpoint, splits, torch::kFloat32, batch.device).model;
  const int64_t limit = model.network.max_tokens;
  const int64_t max_length = limit > 0 ? std::min(limit, recipe.data.max_length) : recipe.data.max_length;
  const auto rows = reader.read(splits.train, max_length);
  const auto result = bench_training(model, rows.rows, a.data.batch_size, a.steps, batch);
  if (a.json) {
    const nlohmann::ordered_json out = {{"steps", result.steps},
                                        {"batch_size", a.data.batch_size},
                                        {"threads", cores},
                                        {"seconds_per_step", result.seconds_per_step},
                                        {"samples_per_second", result.samples_per_second},
                                        {"tokens_per_second", result.tokens_per_second},
                                        {"peak_memory_bytes", result.peak_memory_bytes},
                                        {"limit_seconds_per_step", result.limit_seconds_per_step},
                                        {"share_of_limit", result.share_of_limit()},
                                        {"parts", result.parts}};
    std::cout << out.dump(2) << '\n';
    return 0;
  }
  std::printf("%lld steps of %lld rows on %d threads\n", static_cast<long long>(result.steps),
              static_cast<long long>(a.data.batch_size), cores);
  std::printf("step            %.4f s   %.1f samples/s, %.0f tokens/s\n", result.seconds_per_step,
              result.samples_per_second, result.tokens_per_second);
  std::printf("limit           %.4f s   %.0f %% of it reached (matrix products and AdamW alone)\n",
              result.limit_seconds_per_step, 100 * result.share_of_limit());
  for (const auto& [part, seconds] : result.parts) std::printf("  %-13s %.4f s\n", part.c_str(), seconds);
  std::printf("peak memory     %.2f GB\n", static_cast<double>(result.peak_memory_bytes) / 1e9);
  return 0;
}

}  // namespace

std::function<int()> add_bench(CLI::App& app) {
  auto a = std::make_shared<Arguments>();
  a->data.batch_size = 16;
  app.add_option("checkpoint", a->checkpoint, "Checkpoint")->required();
  add_data_options(app, a->data);
  app.add_option("--steps", a->steps, "Timed steps")->check(CLI::PositiveNumber);
  app.add_flag("--json", a->json, "One JSON document");
  return [a] { return bench(*a); };
}

}  // namespace normscope
