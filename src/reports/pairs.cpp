// Finds intact twins and reads both runs at equal epochs and at matched fit.
#include "reports/pairs.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace normscope {
namespace {

std::optional<double> last_clean_accuracy(const RunView& run) {
  for (auto row = run.epochs.rbegin(); row != run.epochs.rend(); ++row)
    if (!std::isnan(row->train_clean_accuracy)) return row->train_clean_accuracy;
  return std::nullopt;
}

}  // namespace

std::vector<Pair> find_pairs(const Unit& unit, const std::string& norm_selection) {
  std::vector<Pair> pairs;
  const auto intact_runs = unit.with("none");
  if (norm_selection == "none") return pairs;
  for (const auto* removed : unit.with(norm_selection)) {
    const auto lines = shared_recipe_lines(removed->run.recipe, true);
    const auto twin = std::find_if(intact_runs.begin(), intact_runs.end(), [&](const RunView* intact) {
      return intact->run.seed == removed->run.seed && shared_recipe_lines(intact->run.recipe, true) == lines;
    });
    if (twin != intact_runs.end()) pairs.push_back({*twin, removed});
  }
  return pairs;
}

const char* to_text(Point point) { return point == Point::EqualEpochs ? "equal epochs" : "matched fit"; }

EpochMetrics interpolate(const std::vector<EpochMetrics>& epochs, double epoch) {
  const auto above = std::find_if(epochs.begin(), epochs.end(),
                                  [&](const EpochMetrics& row) { return static_cast<double>(row.epoch) >= epoch; });
  if (above == epochs.end()) return epochs.back();
  if (above == epochs.begin() || static_cast<double>(above->epoch) == epoch) return *above;
  const auto below = above - 1;
  const double share = (epoch - static_cast<double>(below->epoch)) / static_cast<double>(above->epoch - below->epoch);
  EpochMetrics row;
  row.epoch = below->epoch;
  for (const auto& field : kMetricFields) {
    const double low = (*below).*field.member, high = (*above).*field.member;
    row.*field.member = low + share * (high - low);
  }
  return row;
}

PairReading read_pair(const Pair& pair, Point point) {
  PairReading reading;
  if (point == Point::EqualEpochs) {
    const auto epoch = static_cast<double>(std::min(pair.intact->last().epoch, pair.removed->last().epoch));
    reading.intact_epoch = reading.removed_epoch = epoch;
  } else {
    const auto intact = last_clean_accuracy(*pair.intact), removed = last_clean_accuracy(*pair.removed);
    if (!intact || !removed) return reading;
    reading.target = std::min(*intact, *removed);
    reading.intact_epoch = first_reaching(curve(*pair.intact, &EpochMetrics::train_clean_accuracy), reading.target);
    reading.removed_epoch = first_reaching(curve(*pair.removed, &EpochMetrics::train_clean_accuracy), reading.target);
  }
  reading.intact = interpolate(pair.intact->epochs, reading.intact_epoch);
  reading.removed = interpolate(pair.removed->epochs, reading.removed_epoch);
  reading.is_defined = true;
  return reading;
}

}  // namespace normscope
