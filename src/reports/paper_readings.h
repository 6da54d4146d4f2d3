// The authors' runs read at three points: as published, after equal epochs, at matched fit.
#pragma once
#include <string>
#include <vector>

#include "reports/paper_logs.h"

namespace normscope {

// Published: epoch 40 (Post-LN) or 70 (Pre-LN), or the last one before. EqualEpochs: the last epoch of the shorter of a
// run and its intact twin. MatchedFit: each run's first epoch at which its running train accuracy reaches the lower of
// the two final values, linear between epochs; the clean training accuracy was not logged.
enum class PaperPoint { Published, EqualEpochs, MatchedFit };
const char* to_text(PaperPoint point);

// One selection at one point: a value a seed. `intact` is parallel to `removed`, empty without an intact log; the one
// intact run stands beside every seed unless there is one of the same seed.
struct PaperReading {
  std::vector<EpochMetrics> removed, intact;
  std::vector<double> removed_epochs, intact_epochs;

  std::vector<double> values(double EpochMetrics::*member) const;   // of the removed runs
  std::vector<double> changes(double EpochMetrics::*member) const;  // removed - intact
};

// Of intact runs themselves `intact` stays empty. Nothing is read at matched fit without an intact run.
PaperReading read_paper(const PaperUnit& unit, const std::string& norm_selection, PaperPoint point);

// Every run of a selection at one epoch, or the last one before.
PaperReading read_paper_at(const PaperUnit& unit, const std::string& norm_selection, double epoch);

}  // namespace normscope
