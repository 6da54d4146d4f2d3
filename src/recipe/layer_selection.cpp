// Reads and applies norm.layers.
#include "recipe/layer_selection.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "core/error.h"
#include "core/text.h"

namespace normscope {
namespace {

using Kind = LayerSelection::Kind;

constexpr std::pair<std::string_view, Kind> kWords[] = {
    {"none", Kind::None},   {"all", Kind::All},       {"blocks", Kind::Blocks},
    {"early", Kind::Early}, {"middle", Kind::Middle}, {"later", Kind::Later},
};
constexpr int64_t kMaxLayer = 9999;

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw Error(ErrorKind::Usage,
              "expected none, all, blocks, early, middle, later or a list such as \"0-3,7\", found \"" +
                  std::string(text) + "\"" + why);
}

int64_t read_layer(std::string_view digits, std::string_view text) {
  int64_t layer = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), layer);
  const bool is_number = problem == std::errc() && end == digits.data() + digits.size() && layer >= 0;
  if (!is_number || layer > kMaxLayer) {
    const std::vector<std::string> words = {"none", "all", "blocks", "early", "middle", "later"};
    const std::string near = text.size() < 20 ? nearest_name(text, words) : "";
    refuse(text, near.empty() ? ": \"" + std::string(digits) + "\" is no layer" : "; did you mean " + near + "?");
  }
  return layer;
}

}  // namespace

LayerSelection parse_layer_selection(std::string_view text) {
  for (const auto& [word, kind] : kWords)
    if (text == word) return {kind, {}};
  LayerSelection selection{Kind::Listed, {}};
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    std::string_view part = text.substr(begin, end - begin);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    const size_t dash = part.find('-');
    const int64_t first = read_layer(part.substr(0, dash), text);
    const int64_t last = dash == std::string_view::npos ? first : read_layer(part.substr(dash + 1), text);
    if (last < first) refuse(text, ": \"" + std::string(part) + "\" runs backwards");
    selection.ranges.emplace_back(first, last);
    begin = end + 1;
  }
  std::sort(selection.ranges.begin(), selection.ranges.end());
  for (size_t i = 1; i < selection.ranges.size(); ++i)
    if (selection.ranges[i].first <= selection.ranges[i - 1].second)
      refuse(text, ": layer " + std::to_string(selection.ranges[i].first) + " is listed twice");
  return selection;
}

bool LayerSelection::contains(int64_t layer, int64_t num_hidden_layers) const {
  const int64_t third = num_hidden_layers / 3;
  switch (kind) {
    case Kind::None:
      return false;
    case Kind::All:
    case Kind::Blocks:
      return true;
    case Kind::Early:
      return layer < third;
    case Kind::Middle:
      return layer >= third && layer < 2 * third;
    case Kind::Later:
      return layer >= 2 * third;
    case Kind::Listed:
      break;
  }
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const auto& range) { return range.first <= layer && layer <= range.second; });
}

void check_layer_selection(const LayerSelection& selection, int64_t num_hidden_layers) {
  if (selection.ranges.empty()) return;
  const int64_t last = selection.ranges.back().second;
  require(last < num_hidden_layers, ErrorKind::Usage, "norm.layers: expected layers from 0 to ", num_hidden_layers - 1,
          ", found ", last);
}

}  // namespace normscope
