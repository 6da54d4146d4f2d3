// What a running study tells whoever shows it.
#pragma once
#include <cstdint>
#include <string>

#include "storage/epoch_metrics.h"

namespace normscope {

// How a study is about to be worked on.
struct StudyPlan {
  int64_t total = 0, left = 0;  // runs, and those of them that are not over yet
  int64_t jobs = 1;             // at once
  int64_t threads = 1;          // of each
};

// Several runs may be under way at once, so that each call names its run.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void study_started(const StudyPlan& /*plan*/) {}
  // One line for the user: what was found, drawn, skipped, resumed. `run_id` "": of the study.
  virtual void note(const std::string& /*run_id*/, const std::string& /*text*/) {}
  virtual void run_started(const std::string& /*run_id*/, int64_t /*index*/, int64_t /*total*/, int64_t /*epochs*/) {}
  // After every update; `rows` of `rows_in_epoch` are done, `loss` is the epoch's running mean.
  virtual void step(const std::string& /*run_id*/, int64_t /*epoch*/, int64_t /*rows*/, int64_t /*rows_in_epoch*/,
                    double /*loss*/) {}
  virtual void epoch_finished(const std::string& /*run_id*/, const EpochMetrics& /*metrics*/) {}
  // Done, failed, stopped: no more calls of this run follow for now.
  virtual void run_ended(const std::string& /*run_id*/) {}
};

}  // namespace normscope
