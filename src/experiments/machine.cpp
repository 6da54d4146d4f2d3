#include "experiments/machine.h"

#include <sys/utsname.h>

#include <fstream>
#include <thread>

#include "core/parallel.h"
#include "kernels/kernels.h"

namespace normscope {

std::string machine_description() {
  std::string processor = "unknown processor";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) {
      processor = line.substr(line.find(':') + 2);
      break;
    }
  struct utsname system {};
  ::uname(&system);
  return processor + ", " + std::to_string(usable_cores()) + " of " +
         std::to_string(std::thread::hardware_concurrency()) + " cores, kernels " + kernels::variant_name() + ", " +
         system.sysname + " " + system.release + " " + system.machine;
}

}  // namespace normscope
