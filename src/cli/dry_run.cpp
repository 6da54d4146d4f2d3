#include "cli/dry_run.h"

#include <cstdio>
#include <iostream>
#include <set>

#include "cli/progress_display.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "experiments/estimate.h"
#include "experiments/failure.h"
#include "experiments/jobs.h"
#include "experiments/open_model.h"
#include "experiments/recipe_change.h"
#include "storage/run_store.h"

namespace normscope {
namespace {

void print_run(const RunRecipe& run) {
  std::cout << run.id;
  for (const auto& [key, value] : run.values) std::cout << "  " << key << " = " << value;
}

void print_total(const std::vector<RunEstimate>& estimates, int64_t jobs, int64_t threads) {
  std::vector<double> seconds;
  int64_t memory = 0;
  for (const auto& estimate : estimates) {
    seconds.push_back(estimate.seconds);
    memory = std::max(memory, estimate.memory_bytes);
  }
  std::cout << estimates.size() << (estimates.size() == 1 ? " run" : " runs") << ", " << jobs << " at once with "
            << threads << (threads == 1 ? " thread" : " threads") << " each: about "
            << duration_text(seconds_for_all(seconds, jobs)) << ", " << bytes_text(memory * jobs) << " of memory\n";
  const int64_t available = available_memory();
  if (memory * jobs > available)
    std::fprintf(stderr, "%s of memory are free; --jobs %lld fits\n", bytes_text(available).c_str(),
                 static_cast<long long>(std::max<int64_t>(1, available / memory)));
}

// Ids of runs that need no training, for the study in `folder` has them; prints how it differs from the recipe.
std::set<std::string> done_runs(const std::filesystem::path& folder, const std::vector<RunRecipe>& runs) {
  if (!std::filesystem::exists(folder / "normscope.db")) return {};
  const auto store = RunStore::open_read_only(folder / "normscope.db");
  const auto change = plan_change(store, runs);
  if (!change.added.empty() || change.dropped > 0 || change.taken_back > 0) std::cout << to_text(change) << '\n';
  std::set<int64_t> done;
  for (const auto& list : {store.runs(), store.dropped_runs()})
    for (const auto& run : list)
      if (run.state == RunState::Done) done.insert(run.number);
  std::set<std::string> ids;
  for (const auto& place : change.places)
    if (!place.is_dropped && done.contains(place.number)) ids.insert(place.id);
  return ids;
}

}  // namespace

std::string bytes_text(int64_t bytes) {
  char text[32];
  const double megabytes = static_cast<double>(bytes) / 1e6;
  std::snprintf(text, sizeof text, megabytes < 1000 ? "%.0f MB" : "%.1f GB",
                megabytes < 1000 ? megabytes : megabytes / 1000);
  return text;
}

int dry_run(const Recipe& recipe, const std::filesystem::path& folder, int64_t jobs) {
  const auto runs = expand_grid(recipe);
  const auto done = done_runs(folder, runs);
  std::string reason;
  std::vector<RunEstimate> estimates;
  int64_t threads = recipe.threads;
  std::optional<Estimator> estimator;
  for (const auto& run : runs) {
    print_run(run);
    if (done.contains(run.id)) {
      std::cout << "  done\n";
      continue;
    }
    try {
      if (reason.empty() && !estimator) {
        const auto device = find_device(recipe.device).str();
        if (threads == 0) threads = choose_threads(runs, device, jobs);
        if (jobs == 0) jobs = choose_jobs(runs, device, threads);
        estimator.emplace(threads);
      }
      if (reason.empty()) {
        estimates.push_back(estimator->estimate(run));
        std::cout << "  " << duration_text(estimates.back().seconds) << "  "
                  << bytes_text(estimates.back().memory_bytes);
      }
    } catch (const std::exception& failure) {
      reason = to_error(failure).what();
    }
    std::cout << std::endl;  // each as soon as it is known
  }
  if (reason.empty()) {
    if (!estimates.empty()) print_total(estimates, std::min(jobs, static_cast<int64_t>(estimates.size())), threads);
  } else {
    std::fprintf(stderr, "no estimate of time and memory: %s\n", reason.c_str());
  }
  return 0;
}

}  // namespace normscope
