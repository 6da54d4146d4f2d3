// Source: proc(5), cgroups(7).
#include "core/memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace normscope {
namespace {

// "MemAvailable:   123 kB" of a file of such lines, in bytes; 0 when it is not there.
int64_t kilobytes_line(const char* file, const std::string& name) {
  std::ifstream lines(file);
  for (std::string word; lines >> word;) {
    int64_t value = 0;
    if (word == name + ":" && lines >> value) return value * 1024;
  }
  return 0;
}

// A file of one number; `absent` when it holds none ("max").
int64_t number_in(const char* file, int64_t absent) {
  std::ifstream text(file);
  int64_t value = 0;
  return text >> value ? value : absent;
}

}  // namespace

int64_t available_memory() {
  constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
  int64_t available = kilobytes_line("/proc/meminfo", "MemAvailable");
  if (available == 0) available = kNoLimit;
  const int64_t limit = std::min(number_in("/sys/fs/cgroup/memory.max", kNoLimit),
                                 number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes", kNoLimit));
  const int64_t used = std::max(number_in("/sys/fs/cgroup/memory.current", 0),
                                number_in("/sys/fs/cgroup/memory/memory.usage_in_bytes", 0));
  return limit == kNoLimit ? available : std::min(available, std::max<int64_t>(0, limit - used));
}

int64_t peak_memory() { return kilobytes_line("/proc/self/status", "VmHWM"); }

void forget_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace normscope
