// What a running study tells whoever shows it.
#pragma once
#include <cstdint>
#include <string>

#include "storage/epoch_metrics.h"

namespace normscope {

class Progress {
 public:
  virtual ~Progress() = default;
  // One line for the user: what was found, drawn, skipped, resumed.
  virtual void note(const std::string&) {}
  virtual void run_started(const std::string& /*run_id*/, int64_t /*index*/, int64_t /*total*/, int64_t /*epochs*/) {}
  // After every update; `rows` of `rows_in_epoch` are done, `loss` is the epoch's running mean.
  virtual void step(int64_t /*epoch*/, int64_t /*rows*/, int64_t /*rows_in_epoch*/, double /*loss*/) {}
  virtual void epoch_finished(const EpochMetrics&) {}
  virtual void run_finished(const std::string& /*run_id*/) {}
};

}  // namespace normscope
