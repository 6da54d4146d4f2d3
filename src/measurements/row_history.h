// When rows were learned and how often they were forgotten, epoch after epoch. Source: Toneva et al. 2019.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace normscope {

// Of one row and one label: learned means predicted.
struct RowHistory {
  int64_t first_learned_epoch = 0;  // 0: never
  int64_t forgetting_events = 0;    // learned, and an epoch later not
  bool is_learned = false;          // at the last epoch

  void follow(int64_t epoch, bool is_predicted);
};

// What a set of rows has gone through. NaN of no rows.
struct HistorySummary {
  double learned = 0;              // % at the last epoch
  double ever_learned = 0;         // % at some epoch
  double never_forgotten = 0;      // % of those that were ever learned
  double first_learned_epoch = 0;  // mean over those
  double forgetting_events = 0;    // mean over all rows
};

HistorySummary summarize(std::span<const RowHistory> rows);

}  // namespace normscope
