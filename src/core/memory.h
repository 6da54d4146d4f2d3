// Memory of this machine and of this process.
#pragma once
#include <cstdint>

namespace normscope {

// Bytes that a process may still take without swapping: the system's, or the cgroup's when those are fewer.
int64_t available_memory();

// The most bytes that this process has held since forget_peak_memory(), or since its start.
int64_t peak_memory();
void forget_peak_memory();

}  // namespace normscope
