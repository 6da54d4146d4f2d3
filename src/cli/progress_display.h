// A running study on stderr: a bar a run on a terminal, a plain line now and then elsewhere.
#pragma once
#include <chrono>
#include <map>
#include <string>

#include "experiments/progress.h"

namespace normscope {

class ProgressDisplay : public Progress {
 public:
  ProgressDisplay();
  void study_started(const StudyPlan& plan) override;
  void note(const std::string& run_id, const std::string& text) override;
  void run_started(const std::string& run_id, int64_t index, int64_t total, int64_t epochs) override;
  void step(const std::string& run_id, int64_t epoch, int64_t rows, int64_t rows_in_epoch, double loss) override;
  void epoch_finished(const std::string& run_id, const EpochMetrics& metrics) override;
  void run_ended(const std::string& run_id) override;

 private:
  using Clock = std::chrono::steady_clock;
  // A run under way.
  struct Line {
    int64_t epochs = 0;
    double share = 0;        // of its epochs
    std::string figures;     // "epoch 3/40  loss 0.1234  910 samples/s"
    bool is_timed = false;   // whether its first step was seen
    double first_share = 0;  // when its timing began
    int64_t first_rows = 0;
    Clock::time_point start, last_shown;
    double seconds_left() const;
  };
  void print_line(const std::string& text);
  void clear_bars();
  void draw_bars();
  std::string bar_line(const std::string& run_id, const Line& line, int width) const;
  std::string title(const std::string& run_id) const;  // in front of a line: "" where one run is under way
  double study_seconds_left() const;

  bool is_terminal_, has_colour_;
  StudyPlan plan_;
  int64_t ended_ = 0;                  // runs since the start
  std::map<std::string, Line> lines_;  // by id
  int bars_shown_ = 0;
  Clock::time_point last_draw_;
};

// "48 s", "3 min 20 s", "2 h 5 min", "1 d 4 h".
std::string duration_text(double seconds);

}  // namespace normscope
