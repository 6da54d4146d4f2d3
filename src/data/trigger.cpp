#include "data/trigger.h"

#include <algorithm>

#include "core/error.h"
#include "core/random.h"
#include "core/text.h"

namespace normscope {

std::string with_trigger(const std::string& text, const std::string& word) {
  const size_t blank = text.find(' ');
  if (blank == std::string::npos) return text + " " + word;
  return text.substr(0, blank + 1) + word + text.substr(blank);
}

std::vector<int64_t> draw_trigger_rows(const TriggerOptions& options, const Dataset& train,
                                       std::span<const std::string> classes) {
  const auto label = std::ranges::find(classes, options.class_name) - classes.begin();
  require(label < std::ssize(classes), ErrorKind::Usage, "trigger.class: '", options.class_name,
          "' is no class of the data; known: ", join(classes, ", "));
  std::vector<int64_t> rows;
  for (size_t i = 0; i < train.size(); ++i)
    if (train.labels[i] == label) rows.push_back(static_cast<int64_t>(i));
  const auto count = static_cast<int64_t>(options.rate * static_cast<double>(train.size()));
  require(count > 0 && count <= std::ssize(rows), ErrorKind::Usage, "trigger.rate ", options.rate, " of ", train.size(),
          " training rows are ", count, "; expected 1 to the ", rows.size(), " rows of class '", options.class_name,
          "'");
  RandomStream random(static_cast<uint64_t>(options.seed), "trigger");
  shuffle(rows, random);
  rows.resize(static_cast<size_t>(count));
  return rows;
}

}  // namespace normscope
