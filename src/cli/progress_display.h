// A running study on stderr: a bar on a terminal, a plain line now and then elsewhere.
#pragma once
#include <chrono>
#include <string>

#include "experiments/progress.h"

namespace normscope {

class ProgressDisplay : public Progress {
 public:
  ProgressDisplay();
  void note(const std::string& text) override;
  void run_started(const std::string& run_id, int64_t index, int64_t total, int64_t epochs) override;
  void step(int64_t epoch, int64_t rows, int64_t rows_in_epoch, double loss) override;
  void epoch_finished(const EpochMetrics& metrics) override;
  void run_finished(const std::string& run_id) override;

 private:
  using Clock = std::chrono::steady_clock;
  void clear_bar();
  void print_line(const std::string& text);
  double seconds_left(double done_share) const;

  bool is_terminal_, has_colour_;
  std::string run_id_;
  int64_t index_ = 0, total_ = 1, epochs_ = 0;
  bool bar_shown_ = false;
  bool timing_ = false;  // whether the run's first step was seen
  Clock::time_point run_start_, last_line_, last_bar_;
  double first_share_ = 0;  // of the run, when its timing began
  int64_t first_rows_ = 0;
};

// "48 s", "3 min 20 s", "2 h 5 min", "1 d 4 h".
std::string duration_text(double seconds);

}  // namespace normscope
