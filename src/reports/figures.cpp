// Builds the figures of a unit: one line, area or bar a selection of norms, means over seeds with their
// range.
#include "reports/figures.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "reports/curves.h"
#include "reports/drift_figures.h"
#include "reports/gradient_figures.h"
#include "reports/pairs.h"
#include "reports/study_figures.h"
#include "reports/training_gradient_figures.h"
#include "reports/words.h"

namespace normscope {
namespace {

using Member = double EpochMetrics::*;

std::string file_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    if (is_plain) {
      name += c;
    } else if (c >= 'A' && c <= 'Z') {
      name += static_cast<char>(c - 'A' + 'a');
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  return name.empty() ? "figure" : name;
}

int64_t last_epoch(const Unit& unit) {
  int64_t last = 1;
  for (const auto* run : unit.runs)
    if (!run->epochs.empty()) last = std::max(last, run->last().epoch);
  return last;
}

// What the model says of the noisy rows over epochs, stacked to 100 %.
Figure outcome_areas(const Unit& unit, const std::string& selection, const std::string& prefix) {
  const std::string words = selection_words(selection);
  Figure figure{prefix + "noisy_rows_" + file_name(words),
                words,
                "Stacked areas over epochs, " + words +
                    ": share of noisy rows whose false label is repeated, whose true "
                    "label is recovered, and others",
                {"epoch", "memorization", "recovery", "random_prediction"},
                {},
                ""};
  const auto runs = unit.with(selection);
  const auto memorization = band_over_seeds(runs, &EpochMetrics::memorization);
  auto recovery = band_over_seeds(runs, &EpochMetrics::recovery);
  auto random = band_over_seeds(runs, &EpochMetrics::random_prediction);
  for (const auto& [epoch, band] : memorization)
    figure.rows.push_back({static_cast<double>(epoch), band.mean, recovery[epoch].mean, random[epoch].mean});
  const auto area = [](const char* low, const char* high, const char* colour, const char* title) {
    return std::string("$data using 1:(") + low + "):(" + high + ") with filledcurves fs solid 0.9 noborder lc '" +
           colour + "' title '" + title + "'";
  };
  figure.width = 350;
  figure.height = 270;
  figure.commands = epoch_axis(last_epoch(unit)) + kPercentAxis +
                    "set ylabel 'noisy rows'\nset grid front\nset key samplen 1 width -2\nplot " +
                    area("0", "$2", kMemorizedColour, "memorized") + ", \\\n" +
                    area("$2", "$2+$3", kRecoveredColour, "recovered") + ", \\\n" +
                    area("$2+$3", "$2+$3+$4", kOtherColour, "other") + "\n";
  return figure;
}

// Learning and the outcomes of noisy rows at the end, bars side by side, mean over seeds with their range.
Figure final_bars(const Unit& unit, const std::string& prefix) {
  Figure figure{prefix + "final",
                "Learning, and what became of the noisy rows",
                "Bars: test accuracy, memorization, recovery and random prediction of each selection of "
                "norms at the last "
                "epoch",
                {"position"},
                {},
                ""};
  const std::pair<const char*, Member> bars[] = {{"test\\naccuracy", &EpochMetrics::test_accuracy},
                                                 {"memorization", &EpochMetrics::memorization},
                                                 {"recovery", &EpochMetrics::recovery},
                                                 {"random\\nprediction", &EpochMetrics::random_prediction}};
  std::vector<std::string> selections, elements, ticks;
  for (const auto& selection : unit.selections())
    if (!unit.with(selection).empty()) selections.push_back(selection);
  const double slot = 0.82 / static_cast<double>(std::max<size_t>(1, selections.size()));
  for (int bar = 0; bar < 4; ++bar) {
    std::vector<double> row = {static_cast<double>(bar)};
    for (const auto& selection : selections) {
      std::vector<double> values;
      for (const auto* run : unit.with(selection))
        if (!std::isnan(run->last().*bars[bar].second)) values.push_back(run->last().*bars[bar].second);
      const bool is_known = !values.empty();
      row.push_back(mean(values));
      row.push_back(is_known ? *std::min_element(values.begin(), values.end()) : kUndefined);
      row.push_back(is_known ? *std::max_element(values.begin(), values.end()) : kUndefined);
    }
    figure.rows.push_back(row);
    ticks.push_back("\"" + std::string(bars[bar].first) + "\" " + std::to_string(bar));
  }
  for (size_t i = 0; i < selections.size(); ++i) {
    const std::string words = selection_words(selections[i]);
    for (const char* part : {"", " lowest", " highest"}) figure.columns.push_back(words + part);
    const double shift = (static_cast<double>(i) - static_cast<double>(selections.size() - 1) / 2) * slot;
    const std::string x = "($1+" + format_number(shift) + ")", column = std::to_string(2 + 3 * i);
    elements.push_back("$data using " + x + ":" + column + ":(" + format_number(slot * 0.92) +
                       ") with boxes fs solid 0.9 noborder lc '" + selection_colour(selections[i]) + "' title " +
                       quote_gnuplot(words));
    if (unit.with(selections[i]).size() > 1) {
      const std::string low = "$" + std::to_string(3 + 3 * i), high = "$" + std::to_string(4 + 3 * i);
      elements.push_back("$data using " + x + ":(" + low + "):(0):(" + high + "-" + low +
                         ") with vectors nohead lw 1.4 lc '#111111' notitle");
    }
  }
  figure.commands = std::string(kPercentAxis) + "set xrange [-0.6:3.6]\nset xtics (" + join(ticks, ", ") +
                    ") scale 0\nset xlabel ' '\nset ylabel 'share of rows'\nplot " + join(elements, ", \\\n") + "\n";
  figure.height = 285 + key_height(selections.size());
  return figure;
}

}  // namespace

std::string figure_prefix(const Unit& unit, size_t index) {
  return std::to_string(index + 1) + "_" + file_name(unit.title) + "_";
}

std::vector<FigureGroup> unit_figures(const Unit& unit, size_t index) {
  const std::string prefix = figure_prefix(unit, index);
  const std::string solid_and_dashed =
      ", \\\nkeyentry with lines lc '#777777' lw 2.2 dt 1 title 'test', keyentry with lines lc '#777777' lw "
      "1.4 dt (6,4) "
      "title 'train'";
  std::vector<FigureGroup> groups;
  const bool has_trained =
      std::any_of(unit.runs.begin(), unit.runs.end(), [](const auto* run) { return run->has_trained(); });
  if (!has_trained) return groups;

  const bool has_noise = has_any(unit, &EpochMetrics::memorization);
  FigureGroup last_epoch{"At the last epoch", "", {final_bars(unit, prefix)}};
  if (auto gaps = gap_bars(unit, prefix); !gaps.rows.empty()) last_epoch.figures.push_back(std::move(gaps));
  const auto selections = unit.selections();
  if (std::any_of(selections.begin(), selections.end(), [](const auto& name) { return name.ends_with("early"); }))
    last_epoch.text = "Where removal acts, early, middle or later, is the paper's figure 3.";
  groups.push_back(std::move(last_epoch));
  FigureGroup over_epochs{"Over epochs", "Accuracy, noisy rows and gap over epochs are the paper's figure 2.", {}};
  const auto add = [&](const std::vector<CurveLine>& lines, CurveTexts texts) {
    texts.name = prefix + texts.name;
    over_epochs.figures.push_back(curves(lines, texts));
  };
  const std::string loss_axis = "set ylabel 'cross-entropy (nats per row)'\nset yrange [0:*]\n";
  add(lines_of(unit, "test_accuracy", &EpochMetrics::test_accuracy, "train_accuracy", &EpochMetrics::train_accuracy),
      {"accuracy", "Test and train accuracy",
       "Lines over epochs: test accuracy (solid), running train accuracy (dashed)", kAccuracyAxis, 2,
       solid_and_dashed});
  if (has_any(unit, &EpochMetrics::overfit_gap))  // without test rows there is none
    add(lines_of(unit, "overfit_gap", &EpochMetrics::overfit_gap),
        {"gap", "Overfit gap: train minus test accuracy", "Lines over epochs: overfit gap", kGapAxis});
  if (has_noise) {
    add(lines_of(unit, "memorization", &EpochMetrics::memorization),
        {"memorization", "Memorization: the false label is repeated", "Lines over epochs: memorization",
         kNoisyRowsAxis});
    add(lines_of(unit, "recovery", &EpochMetrics::recovery),
        {"recovery", "Recovery: the true label is said", "Lines over epochs: recovery", kNoisyRowsAxis});
  }
  add(lines_of(unit, "test_loss", &EpochMetrics::test_loss, "train_loss", &EpochMetrics::train_loss),
      {"loss", "Test and train loss", "Lines over epochs: test loss (solid), running train loss (dashed)", loss_axis, 2,
       solid_and_dashed});
  if (has_any(unit, &EpochMetrics::noisy_loss))
    add(lines_of(unit, "noisy_loss", &EpochMetrics::noisy_loss),
        {"noisy_loss", "Loss of the noisy rows on their false labels", "Lines over epochs: loss of the noisy rows",
         loss_axis});
  groups.push_back(std::move(over_epochs));

  if (has_noise) {
    FigureGroup areas{"What the model says of the noisy rows",
                      "Each noisy row was given a false label. The model may repeat it (memorized), say the true one "
                      "(recovered), or something else.",
                      {}};
    for (const auto& selection : unit.selections())
      if (!unit.with(selection).empty()) areas.figures.push_back(outcome_areas(unit, selection, prefix));
    groups.push_back(std::move(areas));
  }
  for (auto* more : {&gradient_figures, &training_gradient_figures, &drift_figures})
    if (auto group = more(unit, prefix); !group.figures.empty()) groups.push_back(std::move(group));
  return groups;
}

}  // namespace normscope
