// A removed run beside its intact twin, read at two points: at equal epochs and at matched fit.
#pragma once
#include <vector>

#include "reports/study_view.h"

namespace normscope {

struct Pair {
  const RunView* intact;
  const RunView* removed;
};

// Every trained run with removed norms that has a trained intact twin: same model, data, seeds and settings.
std::vector<Pair> find_pairs(const Unit& unit, const std::string& norm_selection);

enum class Point { EqualEpochs, MatchedFit };
const char* to_text(Point point);

struct PairReading {
  EpochMetrics intact, removed;
  double intact_epoch = 0, removed_epoch = 0;  // fractional at matched fit
  double target = kUndefined;                  // matched fit: clean training accuracy, %
  bool is_defined = false;                     // false: the clean training accuracy was not measured
};

// EqualEpochs: the last epoch of the shorter run. MatchedFit: each run's first epoch at which its clean
// training accuracy reaches the lower of the two final values, linear between epochs. Source: our rules for
// claims.
PairReading read_pair(const Pair& pair, Point point);

// Metrics at a fractional epoch, linear between the neighbours; undefined where one of them is.
EpochMetrics interpolate(const std::vector<EpochMetrics>& epochs, double epoch);

}  // namespace normscope
