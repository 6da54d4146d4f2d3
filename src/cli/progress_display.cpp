#include "cli/progress_display.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace normscope {
namespace {

constexpr double kSecondsBetweenBars = 0.1;
constexpr double kSecondsBetweenLines = 30;
constexpr int kWidestId = 32;

struct Window {
  int columns = 80, rows = 24;
};

Window terminal_window() {
  struct winsize size {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return {size.ws_col, size.ws_row};
  return {};
}

std::string format(const char* pattern, auto... values) {
  char text[256];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

std::string percent(const char* name, double value) {
  return std::isnan(value) ? "" : format("  %s %.1f %%", name, value);
}

double seconds_between(auto from, auto to) { return std::chrono::duration<double>(to - from).count(); }

std::string counted_runs(int64_t count) { return std::to_string(count) + (count == 1 ? " run" : " runs"); }

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<int64_t>(std::llround(std::max(0.0, seconds)));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  if (whole < 86400) return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
  return std::to_string(whole / 86400) + " d " + std::to_string(whole % 86400 / 3600) + " h";
}

ProgressDisplay::ProgressDisplay() : is_terminal_(::isatty(STDERR_FILENO) == 1) {
  const char* term = std::getenv("TERM");
  has_colour_ = is_terminal_ && std::getenv("NO_COLOR") == nullptr && term != nullptr && std::string(term) != "dumb";
}

void ProgressDisplay::clear_bars() {
  for (int i = 0; i < bars_shown_; ++i) std::fputs(i == 0 ? "\r\x1b[K" : "\x1b[A\x1b[K", stderr);
  bars_shown_ = 0;
}

void ProgressDisplay::print_line(const std::string& text) {
  clear_bars();
  std::fprintf(stderr, "%s\n", text.c_str());
  std::fflush(stderr);
}

std::string ProgressDisplay::title(const std::string& run_id) const {
  return plan_.jobs > 1 && !run_id.empty() ? run_id + ": " : "";
}

void ProgressDisplay::study_started(const StudyPlan& plan) {
  plan_ = plan;
  if (plan.jobs == 1) return;
  print_line(counted_runs(plan.left) + (plan.left < plan.total ? " of " + std::to_string(plan.total) : "") + ", " +
             std::to_string(plan.jobs) + " at once with " + std::to_string(plan.threads) +
             (plan.threads == 1 ? " thread" : " threads") + " each");
}

void ProgressDisplay::note(const std::string& run_id, const std::string& text) {
  print_line((run_id.empty() ? "" : "  ") + title(run_id) + text);
}

void ProgressDisplay::run_started(const std::string& run_id, int64_t index, int64_t total, int64_t epochs) {
  lines_[run_id] = {};
  lines_[run_id].epochs = epochs;
  const std::string text = "run " + std::to_string(index + 1) + " of " + std::to_string(total) + ": " + run_id;
  print_line(has_colour_ ? "\x1b[1m" + text + "\x1b[0m" : text);
}

double ProgressDisplay::Line::seconds_left() const {
  const double measured = share - first_share;
  if (measured <= 0) return NAN;
  return seconds_between(start, Clock::now()) / measured * (1 - share);
}

// Runs that have not begun are taken to last as long as those under way.
double ProgressDisplay::study_seconds_left() const {
  double share_left = static_cast<double>(plan_.left - ended_), rate = 0;  // runs a second, of all together
  for (const auto& [id, line] : lines_) {
    share_left -= line.share;
    if (line.share > line.first_share)
      rate += (line.share - line.first_share) / std::max(1e-9, seconds_between(line.start, Clock::now()));
  }
  return rate > 0 ? share_left / rate : NAN;
}

void ProgressDisplay::step(const std::string& run_id, int64_t epoch, int64_t rows, int64_t rows_in_epoch, double loss) {
  const auto now = Clock::now();
  auto& line = lines_[run_id];
  const double in_epoch = static_cast<double>(rows) / static_cast<double>(rows_in_epoch);
  const int64_t all_rows = (epoch - 1) * rows_in_epoch + rows;
  line.share = (static_cast<double>(epoch - 1) + in_epoch) / static_cast<double>(std::max<int64_t>(1, line.epochs));
  if (!line.is_timed) {
    line.is_timed = true;
    line.start = line.last_shown = now;
    line.first_share = line.share;
    line.first_rows = all_rows;
    return;
  }
  const double elapsed = seconds_between(line.start, now);
  line.figures = format("epoch %lld/%lld  loss %.4f  %.0f samples/s", static_cast<long long>(epoch),
                        static_cast<long long>(line.epochs), loss,
                        static_cast<double>(all_rows - line.first_rows) / std::max(elapsed, 1e-9));
  if (is_terminal_) {
    if (seconds_between(last_draw_, now) < kSecondsBetweenBars) return;
    last_draw_ = now;
    return draw_bars();
  }
  if (seconds_between(line.last_shown, now) < kSecondsBetweenLines) return;
  line.last_shown = now;
  const double left = plan_.jobs > 1 ? line.seconds_left() : study_seconds_left();
  print_line("  " + title(run_id) + line.figures + "  ETA " + duration_text(left));
}

std::string ProgressDisplay::bar_line(const std::string& run_id, const Line& line, int width) const {
  const double left = plan_.jobs > 1 ? line.seconds_left() : study_seconds_left();
  const std::string figures = line.figures + "  ETA " + (std::isnan(left) ? "?" : duration_text(left));
  std::string start = "  ";
  if (plan_.jobs > 1)
    start += format("%-*.*s  ", std::min(kWidestId, width / 4), std::min(kWidestId, width / 4), run_id.c_str());
  const int room = width - static_cast<int>(start.size() + figures.size()) - 3;
  if (room < 10) return (start + figures).substr(0, static_cast<size_t>(std::max(1, width - 1)));
  const int length = std::min(room, 40), filled = static_cast<int>(line.share * length);
  std::string bar;
  for (int i = 0; i < length; ++i) bar += i < filled ? "━" : has_colour_ ? "\x1b[2m━\x1b[0m" : " ";
  return start + bar + "  " + figures;
}

void ProgressDisplay::draw_bars() {
  const auto window = terminal_window();
  clear_bars();
  const int most = std::max(1, window.rows - 2);
  for (const auto& [id, line] : lines_) {
    if (line.figures.empty() || bars_shown_ >= most) continue;
    if (bars_shown_++ > 0) std::fputc('\n', stderr);
    std::fputs(bar_line(id, line, window.columns).c_str(), stderr);
  }
  if (plan_.jobs > 1 && bars_shown_ > 0) {
    const double left = study_seconds_left();
    ++bars_shown_;
    std::fprintf(stderr, "\n  %lld of %lld over%s", static_cast<long long>(plan_.total - plan_.left + ended_),
                 static_cast<long long>(plan_.total),
                 std::isnan(left) ? "" : (", about " + duration_text(left) + " left").c_str());
  }
  std::fflush(stderr);
}

void ProgressDisplay::epoch_finished(const std::string& run_id, const EpochMetrics& m) {
  std::string text = "  " + title(run_id) + format("epoch %3lld", static_cast<long long>(m.epoch));
  text += std::isnan(m.train_loss) ? "" : format("  loss %.4f", m.train_loss);
  text += percent("train", std::isnan(m.train_accuracy) ? m.train_accuracy_eval : m.train_accuracy);
  text += percent("test", m.test_accuracy);
  text += percent("memorization", m.memorization) + percent("recovery", m.recovery);
  print_line(text);
  lines_[run_id].last_shown = Clock::now();
}

void ProgressDisplay::run_ended(const std::string& run_id) {
  clear_bars();
  lines_.erase(run_id);
  ++ended_;
}

}  // namespace normscope
