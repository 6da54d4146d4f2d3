// Lines over epochs: one metric of some runs, mean over seeds with its range.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "reports/gnuplot.h"
#include "reports/study_view.h"

namespace normscope {

// Mean, lowest and highest over seeds of one metric.
struct Band {
  double mean = kUndefined, low = kUndefined, high = kUndefined;
};

// By epoch; epochs that not every run has are left out, for a mean over fewer seeds would jump there.
std::map<int64_t, Band> band_over_seeds(const std::vector<const RunView*>& runs, double EpochMetrics::*member);

// One metric of the runs of one selection.
struct CurveLine {
  std::string name, title;  // of its columns and in the key; no title: not in the key
  std::string colour;
  std::vector<const RunView*> runs;
  double EpochMetrics::*member;
  std::string style;  // gnuplot's dash type and width
};

struct CurveTexts {
  std::string name, title, alt, axis;
  size_t extra_entries = 0;
  std::string key_entries = "";
};

Figure curves(const std::vector<CurveLine>& lines, const CurveTexts& texts);

// A metric in solid and, when given, a second one dashed, a line a selection.
std::vector<CurveLine> lines_of(const Unit& unit, const std::string& name, double EpochMetrics::*member,
                                const std::string& dashed_name = "", double EpochMetrics::*dashed = nullptr);

bool has_any(const Unit& unit, double EpochMetrics::*member);  // at some epoch of some run

std::string epoch_axis(int64_t last_epoch);

// Names stand two in a row under a plot, so that the plot keeps its size above them.
int key_height(size_t entries);

inline constexpr const char* kPercentAxis = "set yrange [0:100]\nset ytics 20\nset format y '%g %%'\n";
inline constexpr const char* kAccuracyAxis = "set yrange [*:100]\nset format y '%g %%'\nset ylabel 'accuracy'\n";
inline constexpr const char* kNoisyRowsAxis =
    "set yrange [0:100]\nset ytics 20\nset format y '%g %%'\nset ylabel 'noisy rows'\n";
inline constexpr const char* kGapAxis = "set ylabel 'points'\nset xzeroaxis lc '#888888'\n";
inline constexpr const char* kSolid = "lw 2.2 dt 1";
inline constexpr const char* kDashed = "lw 1.4 dt (6,4)";

}  // namespace normscope
