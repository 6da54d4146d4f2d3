#include "core/parallel.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace normscope {
namespace {

// Cores of the cgroup's CPU quota (version 2, then 1), or 0 when there is none.
int cgroup_quota() {
  std::ifstream modern("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (modern >> quota >> period && quota != "max" && period > 0)
    return std::max(1, static_cast<int>(std::ceil(std::atof(quota.c_str()) / period)));
  double old_quota = 0;
  std::ifstream old_quota_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  std::ifstream old_period_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  if (old_quota_file >> old_quota && old_period_file >> period && old_quota > 0 && period > 0)
    return std::max(1, static_cast<int>(std::ceil(old_quota / period)));
  return 0;
}

}  // namespace

int usable_cores() {
  if (const char* asked = std::getenv("OMP_NUM_THREADS"); asked != nullptr && std::atoi(asked) > 0)
    return std::atoi(asked);
  cpu_set_t cores;
  CPU_ZERO(&cores);
  int count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores)
                                                              : static_cast<int>(std::thread::hardware_concurrency());
  if (const int quota = cgroup_quota(); quota > 0) count = std::min(count, quota);
  return std::max(1, count);
}

void parallel_ranges(size_t count, int num_threads, const std::function<void(size_t, size_t)>& body) {
  const size_t parts = std::min(count, static_cast<size_t>(std::max(1, num_threads)));
  if (parts <= 1) return count > 0 ? body(0, count) : void();
  std::vector<std::exception_ptr> failures(parts);
  std::vector<std::thread> threads;
  for (size_t part = 0; part < parts; ++part)
    threads.emplace_back([&, part] {
      try {
        body(count * part / parts, count * (part + 1) / parts);
      } catch (...) {
        failures[part] = std::current_exception();
      }
    });
  for (auto& thread : threads) thread.join();
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

double seconds_for_all(std::span<const double> seconds, int64_t jobs) {
  std::vector<double> free_at(static_cast<size_t>(std::max<int64_t>(1, jobs)), 0.0);
  for (const double duration : seconds) *std::ranges::min_element(free_at) += duration;
  return *std::ranges::max_element(free_at);
}

}  // namespace normscope
