// The machine in words, for the report.
#pragma once
#include <string>

namespace normscope {

std::string machine_description();

}  // namespace normscope
