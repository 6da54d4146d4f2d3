// Seconds that pass, whatever is done to the system's clock.
#pragma once
#include <chrono>

namespace normscope {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace normscope
