// The order of the classes: given, the checkpoint's, numeric, or by bytes.
#include "data/class_order.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>

#include "core/error.h"
#include "core/number.h"
#include "core/text.h"

namespace normscope {
namespace {

std::optional<int64_t> integer(const std::string& text) { return parse_number<int64_t>(text); }

bool is_integer(const std::string& text) { return integer(text).has_value(); }

std::vector<std::string> checked_order(std::span<const std::string> given, const std::set<std::string>& found) {
  const std::set<std::string> known(given.begin(), given.end());
  require(known.size() == given.size(), ErrorKind::Usage, "labels: a label is listed twice in ", join(given, ", "));
  for (const auto& label : found)
    require(known.contains(label), ErrorKind::Usage, "labels: the data has label \"", label,
            "\", which the given order lacks: ", join(given, ", "));
  return {given.begin(), given.end()};
}

}  // namespace

std::vector<std::string> order_classes(std::span<const std::string> labels, std::span<const std::string> given,
                                       std::span<const std::string> checkpoint) {
  const std::set<std::string> found(labels.begin(), labels.end());  // ordered by bytes
  if (!given.empty()) return checked_order(given, found);
  if (std::set<std::string>(checkpoint.begin(), checkpoint.end()) == found && checkpoint.size() == found.size())
    return {checkpoint.begin(), checkpoint.end()};
  std::vector<std::string> classes(found.begin(), found.end());
  if (std::ranges::all_of(classes, is_integer))
    std::ranges::stable_sort(classes, {}, [](const std::string& label) { return *integer(label); });
  return classes;
}

int find_class(std::span<const std::string> classes, const std::string& name) {
  const auto at = std::ranges::find(classes, name);
  if (at != classes.end()) return static_cast<int>(at - classes.begin());
  const auto number = integer(name);
  const bool is_index = number && *number >= 0 && *number < static_cast<int64_t>(classes.size()) &&
                        std::ranges::none_of(classes, is_integer);
  return is_index ? static_cast<int>(*number) : -1;
}

std::string unknown_class(std::span<const std::string> classes, const std::string& name) {
  constexpr size_t kListed = 20;
  std::string message = "class \"" + name + "\" does not exist; classes are " +
                        join(classes.first(std::min(classes.size(), kListed)), ", ");
  if (classes.size() > kListed) message += ", ... (" + std::to_string(classes.size()) + " in all)";
  const auto nearest = nearest_name(name, classes);
  if (!nearest.empty()) message += "; did you mean \"" + nearest + "\"?";
  return message;
}

}  // namespace normscope
