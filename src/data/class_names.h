// Names of the classes that a file of pictures only numbers.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace normscope {

// A name a line, in the order of the numbers. Throws Error(Data) for what is not UTF-8.
std::vector<std::string> read_class_names(const std::string& path);

// Throws Error(Data) unless there are `count` different names.
void check_class_names(const std::vector<std::string>& names, int64_t count, const std::string& path);

}  // namespace normscope
