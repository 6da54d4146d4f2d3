// Cores that this process may use, and a loop over them that needs no torch.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace normscope {

// Cores in the process's affinity mask and cgroup quota; OMP_NUM_THREADS wins. At least 1.
int usable_cores();

// Calls body(begin, end) on disjoint ranges that cover [0, count). The first exception is rethrown.
void parallel_ranges(size_t count, int num_threads, const std::function<void(size_t, size_t)>& body);

// Seconds until the last of several tasks ends that begin in this order, `jobs` (at least one) at once.
double seconds_for_all(std::span<const double> seconds, int64_t jobs);

}  // namespace normscope
