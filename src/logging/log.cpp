#include "logging/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace normscope {
namespace {

spdlog::logger& logger() {
  static const auto kLogger = [] {
    auto made = spdlog::stderr_color_st("normscope");
    made->set_pattern("normscope: %^%v%$");
    return made;
  }();
  return *kLogger;
}

}  // namespace

void log_error(const std::string& message) { logger().error(message); }
void log_warning(const std::string& message) { logger().warn(message); }
void log_note(const std::string& message) { logger().info(message); }

}  // namespace normscope
