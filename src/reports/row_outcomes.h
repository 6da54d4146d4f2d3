// The outcomes of single noisy rows: what percentages of them are made of.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "core/statistics.h"
#include "reports/pairs.h"

namespace normscope {

enum class RowOutcome { Memorized, Recovered, Other };

// 100 for every noisy row with that outcome, else 0; linear between epochs, as the percentages themselves are read.
// Empty when the predictions around that epoch are not stored.
std::vector<double> row_outcomes(const RunView& run, RowOutcome outcome, double epoch);

// removed - intact by noisy row; empty unless both runs have the same rows.
std::vector<double> row_differences(const Pair& pair, const PairReading& reading, RowOutcome outcome);

// The outcome whose share of the noisy rows a metric is; nothing for other metrics.
std::optional<RowOutcome> outcome_of(double EpochMetrics::*percentage);

// Of the mean over seeds, a group a seed: seeds are drawn, and noisy rows within each. NaN where a group is empty.
Interval rows_and_seeds(std::span<const std::vector<double>> groups);

}  // namespace normscope
