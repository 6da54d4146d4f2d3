#include "experiments/jobs.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "checkpoints/checkpoint.h"
#include "core/memory.h"
#include "core/parallel.h"

namespace normscope {
namespace {

constexpr int64_t kProgramBytes = 300'000'000;  // LibTorch loaded and its libraries' buffers

// The first of the names that config.json gives a number under; 0 when none.
int64_t config_number(const nlohmann::json& config, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto at = config.find(name); at != config.end() && at->is_number_integer()) return at->get<int64_t>();
  return 0;
}

// Of the published weights; without them what a transformer of this size has: 12 D^2 a layer, and the embeddings.
int64_t parameter_count(const Checkpoint& checkpoint) {
  int64_t parameters = 0;
  if (!checkpoint.has_weights()) {
    const auto& config = checkpoint.config();
    const int64_t D = config_number(config, {"hidden_size", "n_embd", "dim"});
    const int64_t L = config_number(config, {"num_hidden_layers", "n_layer", "num_layers", "n_layers"});
    return 12 * L * D * D + config_number(config, {"vocab_size"}) * D;
  }
  for (const auto& name : checkpoint.names()) {
    const auto shape = checkpoint.find(name)->shape;
    parameters += std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
  }
  return parameters;
}

// As many at once as there are cores for, and memory.
int64_t jobs_that_fit(const std::vector<RunRecipe>& runs, int64_t jobs) {
  if (jobs <= 1) return 1;
  const int64_t fitting = available_memory() / training_memory(runs);
  return std::clamp<int64_t>(fitting, 1, jobs);
}

}  // namespace

int64_t training_memory(const std::vector<RunRecipe>& runs) {
  std::set<std::pair<std::string, bool>> checkpoints;  // and whether weights are needed
  for (const auto& run : runs)
    checkpoints.emplace(resolve_path(run.recipe, run.recipe.model.checkpoint).string(),
                        run.recipe.model.start != "random");
  int64_t most = 0;
  for (const auto& [path, needs_weights] : checkpoints)
    most = std::max(most, parameter_count(open_checkpoint(path, needs_weights)));
  return kProgramBytes + most * static_cast<int64_t>(5 * sizeof(float));
}

int64_t choose_threads(const std::vector<RunRecipe>& runs, const std::string& device, int64_t jobs) {
  const int64_t cores = usable_cores(), num_runs = static_cast<int64_t>(runs.size());
  if (jobs > 0) return std::max<int64_t>(1, cores / std::min(jobs, num_runs));
  if (device != "cpu" || num_runs < cores) return cores;
  return std::max<int64_t>(1, cores / jobs_that_fit(runs, cores));
}

int64_t choose_jobs(const std::vector<RunRecipe>& runs, const std::string& device, int64_t threads) {
  if (device != "cpu") return 1;
  const int64_t num_runs = static_cast<int64_t>(runs.size());
  return jobs_that_fit(runs, std::min(num_runs, usable_cores() / std::max<int64_t>(1, threads)));
}

}  // namespace normscope
