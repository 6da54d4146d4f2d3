#include "measurements/row_history.h"

#include <limits>

namespace normscope {

void RowHistory::follow(int64_t epoch, bool is_predicted) {
  forgetting_events += is_learned && !is_predicted;
  if (is_predicted && first_learned_epoch == 0) first_learned_epoch = epoch;
  is_learned = is_predicted;
}

HistorySummary summarize(std::span<const RowHistory> rows) {
  double learned = 0, ever = 0, kept = 0, first = 0, forgotten = 0;
  for (const auto& row : rows) {
    learned += row.is_learned;
    forgotten += static_cast<double>(row.forgetting_events);
    if (row.first_learned_epoch == 0) continue;
    ++ever;
    first += static_cast<double>(row.first_learned_epoch);
    kept += row.forgetting_events == 0;
  }
  const auto share = [](double part, double whole) {
    return whole > 0 ? part / whole : std::numeric_limits<double>::quiet_NaN();
  };
  const auto count = static_cast<double>(rows.size());
  return {100 * share(learned, count), 100 * share(ever, count), 100 * share(kept, ever), share(first, ever),
          share(forgotten, count)};
}

}  // namespace normscope
