// Reads outcomes of noisy rows at an epoch.
#include "reports/row_outcomes.h"

#include <algorithm>

namespace normscope {
namespace {

bool has_outcome(const StoredNoisyRow& row, const std::string& predicted, RowOutcome outcome) {
  const auto found = predicted == row.given_label  ? RowOutcome::Memorized
                     : predicted == row.true_label ? RowOutcome::Recovered
                                                   : RowOutcome::Other;
  return found == outcome;
}

}  // namespace

std::vector<double> row_outcomes(const RunView& run, RowOutcome outcome, double epoch) {
  const auto& stored = run.predictions;
  const auto above = std::find_if(stored.begin(), stored.end(),
                                  [&](const auto& row) { return static_cast<double>(row.epoch) >= epoch; });
  if (above == stored.end()) return {};
  const bool is_exact = static_cast<double>(above->epoch) == epoch;
  if (!is_exact && above == stored.begin()) return {};
  const auto below = is_exact ? above : above - 1;
  const double share =
      is_exact ? 0 : (epoch - static_cast<double>(below->epoch)) / static_cast<double>(above->epoch - below->epoch);
  if (below->labels.size() != run.noisy_rows.size() || above->labels.size() != run.noisy_rows.size()) return {};
  std::vector<double> values;
  for (size_t i = 0; i < run.noisy_rows.size(); ++i) {
    const auto& row = run.noisy_rows[i];
    values.push_back(100 * ((1 - share) * has_outcome(row, below->labels[i], outcome) +
                            share * has_outcome(row, above->labels[i], outcome)));
  }
  return values;
}

std::optional<RowOutcome> outcome_of(double EpochMetrics::*percentage) {
  if (percentage == &EpochMetrics::memorization) return RowOutcome::Memorized;
  if (percentage == &EpochMetrics::recovery) return RowOutcome::Recovered;
  if (percentage == &EpochMetrics::random_prediction) return RowOutcome::Other;
  return std::nullopt;
}

Interval rows_and_seeds(std::span<const std::vector<double>> groups) {
  RandomStream random(0, "rows and seeds");
  return bootstrap_nested(groups, random);
}

std::vector<double> row_differences(const Pair& pair, const PairReading& reading, RowOutcome outcome) {
  const auto& rows = pair.intact->noisy_rows;
  const bool is_same =
      std::equal(rows.begin(), rows.end(), pair.removed->noisy_rows.begin(), pair.removed->noisy_rows.end(),
                 [](const auto& a, const auto& b) { return a.row == b.row; });
  if (!is_same || !reading.is_defined) return {};
  const auto intact = row_outcomes(*pair.intact, outcome, reading.intact_epoch);
  auto removed = row_outcomes(*pair.removed, outcome, reading.removed_epoch);
  if (intact.size() != removed.size()) return {};
  for (size_t i = 0; i < removed.size(); ++i) removed[i] -= intact[i];
  return removed;
}

}  // namespace normscope
