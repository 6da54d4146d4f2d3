// How well a signal finds the rows whose label is known to be wrong.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace normscope {

// Rows with equal suspicion come in no order: what depends on it is the mean over all orders.
struct Detection {
  int64_t wrong = 0;             // rows whose label is wrong: n
  double auroc = 0;              // 0-1: a wrong row ranks above a right one
  double average_precision = 0;  // 0-1: area under precision over recall, as scikit-learn sums it (AUPRC)
  double precision = 0;          // % of the n most suspicious rows that are wrong
  double miss_rate = 0;          // % of the wrong rows that are not among them. Source: Pickler et al. 2025
};

// Suspicion rises with the chance of a wrong label; NaN ranks lowest. NaN where no row, or every row, is wrong.
Detection measure_detection(std::span<const double> suspicion, const std::vector<bool>& is_wrong);

// The same figures of a set of flagged rows: precision of it and misses outside it. NaN where there is none.
struct FlagQuality {
  int64_t flagged = 0;
  double precision = 0, miss_rate = 0;  // %
};
FlagQuality measure_flags(const std::vector<bool>& is_flagged, const std::vector<bool>& is_wrong);

}  // namespace normscope
