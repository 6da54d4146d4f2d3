// How far a study is: each run's state, latest figures and time left.
#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "storage/run_store.h"

namespace normscope {

struct RunStatus {
  Run run;                       // its state as it is now (state_now)
  EpochMetrics latest;           // of the last finished epoch
  double seconds_per_epoch = 0;  // mean of the trained ones; NaN before the first
  double seconds_left = 0;       // by that mean, else by the other runs'; NaN when no run is timed
};

struct StudyStatus {
  std::vector<RunStatus> runs;
  int64_t done = 0;
  int64_t jobs = 0;         // runs that a process works on
  double seconds_left = 0;  // with as many at once as now (one when none is); NaN until an epoch is timed
};

StudyStatus study_status(const RunStore& store);

// What `normscope status --json` prints. Seconds are null until an epoch is timed.
nlohmann::ordered_json status_json(const StudyStatus& status);

}  // namespace normscope
