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

int terminal_width() {
  struct winsize size {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
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

void ProgressDisplay::clear_bar() {
  if (bar_shown_) std::fputs("\r\x1b[K", stderr);
  bar_shown_ = false;
}

void ProgressDisplay::print_line(const std::string& text) {
  clear_bar();
  std::fprintf(stderr, "%s\n", text.c_str());
  std::fflush(stderr);
}

void ProgressDisplay::note(const std::string& text) { print_line("  " + text); }

void ProgressDisplay::run_started(const std::string& run_id, int64_t index, int64_t total, int64_t epochs) {
  run_id_ = run_id;
  index_ = index;
  total_ = total;
  epochs_ = epochs;
  timing_ = false;
  const std::string title = "run " + std::to_string(index + 1) + " of " + std::to_string(total) + ": " + run_id;
  print_line(has_colour_ ? "\x1b[1m" + title + "\x1b[0m" : title);
}

double ProgressDisplay::seconds_left(double done_share) const {
  const double measured = done_share - first_share_;
  if (measured <= 0) return NAN;
  // Runs that follow are taken to last as long as this one.
  const double share_left = (1 - done_share) + static_cast<double>(total_ - index_ - 1);
  return seconds_between(run_start_, Clock::now()) / measured * share_left;
}

void ProgressDisplay::step(int64_t epoch, int64_t rows, int64_t rows_in_epoch, double loss) {
  const auto now = Clock::now();
  const double in_epoch = static_cast<double>(rows) / static_cast<double>(rows_in_epoch);
  const double share = (static_cast<double>(epoch - 1) + in_epoch) / static_cast<double>(std::max<int64_t>(1, epochs_));
  if (!timing_) {
    timing_ = true;
    run_start_ = last_line_ = now;
    first_share_ = share;
    first_rows_ = (epoch - 1) * rows_in_epoch + rows;
    return;
  }
  const double elapsed = seconds_between(run_start_, now);
  const double rate = static_cast<double>((epoch - 1) * rows_in_epoch + rows - first_rows_) / std::max(elapsed, 1e-9);
  const std::string figures = format("epoch %lld/%lld  loss %.4f  %.0f samples/s  ETA ", static_cast<long long>(epoch),
                                     static_cast<long long>(epochs_), loss, rate) +
                              duration_text(seconds_left(share));
  if (!is_terminal_) {
    if (seconds_between(last_line_, now) < kSecondsBetweenLines) return;
    last_line_ = now;
    return print_line("  " + figures);
  }
  if (seconds_between(last_bar_, now) < kSecondsBetweenBars) return;
  last_bar_ = now;
  const int room = terminal_width() - static_cast<int>(figures.size()) - 6;
  std::string bar;
  if (room >= 10) {
    const int width = std::min(room, 40), filled = static_cast<int>(share * width);
    for (int i = 0; i < width; ++i) bar += i < filled ? "━" : has_colour_ ? "\x1b[2m━\x1b[0m" : " ";
    bar += "  ";
  }
  std::fprintf(stderr, "\r\x1b[K  %s%s", bar.c_str(), figures.c_str());
  std::fflush(stderr);
  bar_shown_ = true;
}

void ProgressDisplay::epoch_finished(const EpochMetrics& m) {
  std::string line = format("  epoch %3lld", static_cast<long long>(m.epoch));
  line += std::isnan(m.train_loss) ? "" : format("  loss %.4f", m.train_loss);
  line += percent("train", std::isnan(m.train_accuracy) ? m.train_accuracy_eval : m.train_accuracy);
  line += percent("test", m.test_accuracy);
  line += percent("memorization", m.memorization) + percent("recovery", m.recovery);
  print_line(line);
  last_line_ = Clock::now();
}

void ProgressDisplay::run_finished(const std::string&) { clear_bar(); }

}  // namespace normscope
