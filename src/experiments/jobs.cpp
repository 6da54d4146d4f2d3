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

// As many at once as there are cores for, and memory.
int64_t jobs_that_fit(const std::vector<RunRecipe>& runs, int64_t jobs) {
  if (jobs <= 1) return 1;
  const int64_t fitting = available_memory() / training_memory(runs);
  return std::clamp<int64_t>(fitting, 1, jobs);
}

}  // namespace

int64_t training_memory(const std::vector<RunRecipe>& runs) {
  std::set<std::string> checkpoints;
  for (const auto& run : runs) checkpoints.insert(resolve_path(run.recipe, run.recipe.model.checkpoint).string());
  int64_t most = 0;
  for (const auto& path : checkpoints) {
    const auto checkpoint = open_checkpoint(path);
    int64_t parameters = 0;
    for (const auto& name : checkpoint.names()) {
      const auto shape = checkpoint.find(name)->shape;
      parameters += std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
    }
    most = std::max(most, parameters);
  }
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
