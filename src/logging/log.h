// Lines for the user on stderr. Apart from the program because LibTorch's headers bring another fmt than spdlog's.
#pragma once
#include <string>

namespace normscope {

void log_error(const std::string& message);
void log_warning(const std::string& message);
void log_note(const std::string& message);

}  // namespace normscope
