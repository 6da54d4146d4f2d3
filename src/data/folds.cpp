// Deals groups of equal rows out to the folds, class by class, always to the fold that has least of the class.
#include "data/folds.h"

#include <algorithm>

#include "core/error.h"
#include "core/random.h"

namespace normscope {
namespace {

// Rows that must share a fold, by the label of the first.
std::vector<std::vector<std::vector<int64_t>>> groups_by_class(std::span<const int> labels, const DataQuality& quality,
                                                               size_t num_classes) {
  std::vector<bool> is_taken(labels.size());
  std::vector<std::vector<std::vector<int64_t>>> groups(num_classes);
  const auto add = [&](std::vector<int64_t> rows) {
    for (const int64_t row : rows) is_taken[static_cast<size_t>(row)] = true;
    groups[static_cast<size_t>(labels[static_cast<size_t>(rows.front())])].push_back(std::move(rows));
  };
  for (const auto* list : {&quality.duplicates, &quality.conflicting})
    for (const auto& rows : *list) add(rows);
  for (size_t i = 0; i < labels.size(); ++i)
    if (!is_taken[i]) add({static_cast<int64_t>(i)});
  return groups;
}

}  // namespace

Folds stratified_folds(std::span<const int> labels, const DataQuality& quality, int64_t num_folds, int64_t seed,
                       std::span<const std::string> classes) {
  require(num_folds >= 2, ErrorKind::Usage, "folds: expected at least 2, found ", num_folds);
  auto groups = groups_by_class(labels, quality, classes.size());
  size_t num_groups = 0;
  for (const auto& list : groups) num_groups += list.size();
  require(static_cast<size_t>(num_folds) <= num_groups, ErrorKind::Usage, "folds: ", num_folds,
          " are more than the training set's ", num_groups, " different rows");
  Folds folds;
  folds.of_row.assign(labels.size(), -1);
  std::vector<std::vector<int64_t>> of_class(static_cast<size_t>(num_folds), std::vector<int64_t>(classes.size()));
  std::vector<int64_t> sizes(static_cast<size_t>(num_folds));
  for (size_t c = 0; c < groups.size(); ++c) {
    auto& list = groups[c];
    RandomStream random(static_cast<uint64_t>(seed), "folds", c);
    shuffle(list, random);
    std::ranges::stable_sort(list, std::ranges::greater(), &std::vector<int64_t>::size);  // small ones even it out
    if (!list.empty() && static_cast<int64_t>(list.size()) < num_folds)
      folds.warnings.push_back("class \"" + classes[c] + "\" has " + std::to_string(list.size()) +
                               (list.size() == 1 ? " row" : " different rows") + ", fewer than the " +
                               std::to_string(num_folds) + " folds" +
                               (list.size() == 1 ? ": the model that judges it has never seen the class" : ""));
    for (const auto& rows : list) {
      size_t least = 0;
      for (size_t f = 1; f < sizes.size(); ++f)
        if (std::pair(of_class[f][c], sizes[f]) < std::pair(of_class[least][c], sizes[least])) least = f;
      for (const int64_t row : rows) {
        folds.of_row[static_cast<size_t>(row)] = static_cast<int>(least);
        ++of_class[least][static_cast<size_t>(labels[static_cast<size_t>(row)])];
        ++sizes[least];
      }
    }
  }
  return folds;
}

}  // namespace normscope
