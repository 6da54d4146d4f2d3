// Bars a unit, from pairs read at equal epochs.
#include "reports/study_figures.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "reports/curves.h"
#include "reports/pairs.h"
#include "reports/words.h"

namespace normscope {
namespace {

using Member = double EpochMetrics::*;

struct Place {
  const Unit* unit;
  std::vector<PairReading> readings;  // a seed each
};

std::vector<Place> places_of(const StudyView& study) {
  std::vector<Place> places;
  for (const auto& unit : study.units) {
    for (const char* selection : {"all", "paper:all"}) {
      std::vector<PairReading> readings;
      for (const auto& pair : find_pairs(unit, selection)) readings.push_back(read_pair(pair, Point::EqualEpochs));
      if (readings.empty()) continue;
      places.push_back({&unit, std::move(readings)});
      break;
    }
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const Place& a, const Place& b) { return a.unit->placement < b.unit->placement; });
  return places;
}

// Mean and 95 % t interval over seeds; the interval is the mean itself below two seeds.
struct Bar {
  double mean = kUndefined, low = kUndefined, high = kUndefined;
};

Bar bar_of(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  Bar bar{mean(values), mean(values), mean(values)};
  if (values.size() > 1) {
    const auto interval = t_interval(values);
    bar.low = std::max(0.0, interval.low);
    bar.high = std::min(100.0, interval.high);
  }
  return bar;
}

Bar bar_of(const Place& place, EpochMetrics PairReading::*side, Member member) {
  std::vector<double> values;
  for (const auto& reading : place.readings) values.push_back((reading.*side).*member);
  return bar_of(std::move(values));
}

std::string whisker(const std::string& x, size_t low) {
  const std::string from = "$" + std::to_string(low), to = "$" + std::to_string(low + 1);
  return "$data using " + x + ":(" + from + "):(0):(" + to + "-" + from +
         ") with vectors nohead lw 1.4 lc '#111111' notitle";
}

// Names under the bars, a line between the placements, room for both.
std::string places_axis(const std::vector<Place>& places) {
  std::vector<std::string> ticks;
  for (size_t i = 0; i < places.size(); ++i)
    ticks.push_back(quote_gnuplot(places[i].unit->title) + " " + std::to_string(i));
  std::string axis = "set yrange [0:100]\nset ytics 20\nset format y '%g %%'\nset xrange [-0.6:" +
                     format_number(static_cast<double>(places.size()) - 0.4) + "]\nset xtics " +
                     (places.size() > 1 ? "rotate by 30 right " : "") + "(" + join(ticks, ", ") + ") scale 0\n";
  const auto post = static_cast<double>(std::count_if(
      places.begin(), places.end(), [](const Place& place) { return place.unit->placement == "post_norm"; }));
  if (post > 0 && post < static_cast<double>(places.size())) {
    const std::string between = format_number(post - 0.5);
    axis += "set arrow from " + between + ", graph 0 to " + between + ", graph 1.06 nohead lw 1.2 lc '#777777'\n" +
            "set label 'Post-LN' at " + format_number(-0.5) + ", graph 1.04\nset label 'Pre-LN' at " +
            format_number(post - 0.45) + ", graph 1.04\n";
  }
  return axis;
}

int width_of(const std::vector<Place>& places) { return std::max(440, 160 + 90 * static_cast<int>(places.size())); }

Figure learning_bars(const std::vector<Place>& places) {
  Figure figure{"learning_by_model",
                "Test accuracy, intact beside all norms removed",
                "Bars: test accuracy of every model, norms intact and all removed",
                {"position", "intact", "intact low", "intact high", "removed", "removed low", "removed high"},
                {},
                ""};
  for (size_t i = 0; i < places.size(); ++i) {
    const auto intact = bar_of(places[i], &PairReading::intact, &EpochMetrics::test_accuracy);
    const auto removed = bar_of(places[i], &PairReading::removed, &EpochMetrics::test_accuracy);
    figure.rows.push_back(
        {static_cast<double>(i), intact.mean, intact.low, intact.high, removed.mean, removed.low, removed.high});
  }
  const auto boxes = [](const char* x, const char* column, const char* selection) {
    return std::string("$data using ") + x + ":" + column + ":(0.36) with boxes fs solid 0.9 noborder lc '" +
           selection_colour(selection) + "' title '" + selection_words(selection) + "'";
  };
  figure.commands = places_axis(places) + "set ylabel 'test accuracy'\nplot " + boxes("($1-0.2)", "2", "none") +
                    ", \\\n" + boxes("($1+0.2)", "5", "all") + ", \\\n" + whisker("($1-0.2)", 3) + ", \\\n" +
                    whisker("($1+0.2)", 6) + "\n";
  figure.width = width_of(places);
  figure.height = 360;
  return figure;
}

Figure outcome_bars(const std::vector<Place>& places) {
  Figure figure{"noisy_rows_by_model",
                "The noisy rows with all norms removed",
                "Stacked bars: share of noisy rows memorized, recovered and predicted as neither, all norms removed",
                {"position", "memorization", "recovery", "random_prediction"},
                {},
                ""};
  bool is_known = false;
  for (size_t i = 0; i < places.size(); ++i) {
    std::vector<double> row = {static_cast<double>(i)};
    for (const auto member : {&EpochMetrics::memorization, &EpochMetrics::recovery, &EpochMetrics::random_prediction}) {
      row.push_back(bar_of(places[i], &PairReading::removed, member).mean);
      is_known = is_known || !std::isnan(row.back());
    }
    figure.rows.push_back(row);
  }
  if (!is_known) figure.rows.clear();
  // The tallest is drawn first, the next ones over it.
  const auto boxes = [](const char* height, const char* colour, const char* title) {
    return std::string("$data using 1:(") + height + "):(0.6) with boxes fs solid 0.9 noborder lc '" + colour +
           "' title '" + title + "'";
  };
  figure.commands = places_axis(places) + "set ylabel 'noisy rows'\nplot " + boxes("$2+$3+$4", kOtherColour, "other") +
                    ", \\\n" + boxes("$2+$3", kRecoveredColour, "recovered") + ", \\\n" +
                    boxes("$2", kMemorizedColour, "memorized") + "\n";
  figure.width = width_of(places);
  figure.height = 360;
  return figure;
}

}  // namespace

FigureGroup study_figures(const StudyView& study) {
  FigureGroup group{
      "All models, all norms removed",
      "The paper's figure 1, of these runs, after equal epochs: means over seeds, whiskers are 95 % intervals.",
      {}};
  const auto places = places_of(study);
  if (places.empty()) return group;
  group.figures.push_back(learning_bars(places));
  if (auto outcomes = outcome_bars(places); !outcomes.rows.empty()) group.figures.push_back(std::move(outcomes));
  return group;
}

Figure gap_bars(const Unit& unit, const std::string& prefix) {
  Figure figure{prefix + "gap_final",
                "Overfit gap: train minus test accuracy",
                "Bars: overfit gap of each selection of norms at the last epoch",
                {"position", "gap", "lowest", "highest"},
                {},
                ""};
  std::vector<std::string> ticks, boxes;
  for (const auto& selection : unit.selections()) {
    std::vector<double> gaps;
    for (const auto* run : unit.with(selection))
      if (!std::isnan(run->last().overfit_gap)) gaps.push_back(run->last().overfit_gap);
    if (gaps.empty()) continue;
    const std::string place = std::to_string(figure.rows.size());
    figure.rows.push_back({static_cast<double>(figure.rows.size()), mean(gaps),
                           *std::min_element(gaps.begin(), gaps.end()), *std::max_element(gaps.begin(), gaps.end())});
    ticks.push_back(quote_gnuplot(selection_words(selection)) + " " + place);
    boxes.push_back("$data every ::" + place + "::" + place + " using 1:2:(0.7) with boxes fs solid 0.9 noborder lc '" +
                    selection_colour(selection) + "' notitle");
  }
  boxes.push_back(whisker("1", 3));
  figure.commands = std::string(kGapAxis) +
                    "set xrange [-0.6:" + format_number(static_cast<double>(figure.rows.size()) - 0.4) +
                    "]\nset xtics rotate by 30 right (" + join(ticks, ", ") + ") scale 0\nset yrange [*<0:0<*]\nplot " +
                    join(boxes, ", \\\n") + "\n";
  return figure;
}

}  // namespace normscope
