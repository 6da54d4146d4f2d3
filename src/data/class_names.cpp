// Names of the classes that a file of pictures only numbers.
#include "data/class_names.h"

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

namespace normscope {

void check_class_names(const std::vector<std::string>& names, int64_t count, const std::string& path) {
  const std::set<std::string> distinct(names.begin(), names.end());
  require(std::ssize(names) == count && std::ssize(distinct) == count, ErrorKind::Data, path, ": expected ", count,
          " different class names, found ", distinct.size(), " among ", names.size());
}

std::vector<std::string> read_class_names(const std::string& path) {
  const auto text = read_file(path, ErrorKind::Data);
  require(find_invalid_utf8(text) == std::string_view::npos, ErrorKind::Data, path, ": is not UTF-8");
  std::vector<std::string> lines;
  for (std::string_view rest = text; !rest.empty();) {
    auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.emplace_back(line);
  }
  return lines;
}

}  // namespace normscope
