// Groups training rows by text and looks held-out texts up among them.
#include "data/data_quality.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace normscope {
namespace {

using RowsByText = std::unordered_map<std::string_view, std::vector<int64_t>>;

std::vector<std::pair<int64_t, int64_t>> rows_in_train(const Dataset& held_out, const RowsByText& train) {
  std::vector<std::pair<int64_t, int64_t>> shared;
  for (size_t i = 0; i < held_out.texts.size(); ++i) {
    const auto found = train.find(held_out.texts[i]);
    if (found != train.end()) shared.emplace_back(static_cast<int64_t>(i), found->second.front());
  }
  return shared;
}

}  // namespace

DataQuality inspect_quality(const Dataset& train, const Dataset& validation, const Dataset& test) {
  RowsByText rows_by_text;
  rows_by_text.reserve(train.texts.size());
  for (size_t i = 0; i < train.texts.size(); ++i) rows_by_text[train.texts[i]].push_back(static_cast<int64_t>(i));

  DataQuality quality;
  for (const auto& [text, rows] : rows_by_text) {
    if (rows.size() < 2) continue;
    const auto label = [&](int64_t row) { return train.labels[static_cast<size_t>(row)]; };
    const int first = label(rows.front());
    const bool agree = std::ranges::all_of(rows, [&](int64_t row) { return label(row) == first; });
    (agree ? quality.duplicates : quality.conflicting).push_back(rows);
  }
  std::ranges::sort(quality.duplicates);  // the map's order is no order
  std::ranges::sort(quality.conflicting);
  quality.validation_in_train = rows_in_train(validation, rows_by_text);
  quality.test_in_train = rows_in_train(test, rows_by_text);
  return quality;
}

}  // namespace normscope
