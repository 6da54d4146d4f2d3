// Cores that this process may use, and a loop over them that needs no torch.
#pragma once
#include <cstddef>
#include <functional>

namespace normscope {

// Cores in the process's affinity mask and cgroup quota; OMP_NUM_THREADS wins. At least 1.
int usable_cores();

// Calls body(begin, end) on disjoint ranges that cover [0, count). The first exception is rethrown.
void parallel_ranges(size_t count, int num_threads, const std::function<void(size_t, size_t)>& body);

}  // namespace normscope
