// Fills the report's tables from a study.
#include "reports/result_tables.h"

#include <cmath>

#include "core/text.h"
#include "reports/cells.h"
#include "reports/chosen_rates.h"
#include "reports/history_table.h"
#include "reports/measurement_page.h"
#include "reports/memorization_table.h"
#include "reports/row_outcomes.h"
#include "reports/words.h"

namespace normscope {
namespace {

using Member = double EpochMetrics::*;

// A percentage of rows with its Wilson interval.
Cell share_of_rows(double percent, int64_t rows, int decimals = 0) {
  Cell cell{fixed(percent)};
  if (std::isnan(percent) || rows == 0) return cell;
  const auto successes = std::llround(percent / 100 * static_cast<double>(rows));
  const auto interval = wilson_interval(std::min<int64_t>(successes, rows), rows);
  cell.detail = in_brackets({100 * interval.low, 100 * interval.high}, decimals);
  return cell;
}

std::string epoch_text(const Run& run) {
  std::string text = std::to_string(run.epoch);
  if (run.state == RunState::Done) return text;
  return text + " of " + std::to_string(run.epochs) + ", " + to_text(run.state);
}

Cell outcome_bar(const EpochMetrics& row) {
  if (std::isnan(row.memorization)) return {"–"};
  Cell cell{fixed(row.memorization, 0) + " / " + fixed(row.recovery, 0) + " / " + fixed(row.random_prediction, 0)};
  cell.bar.push_back({row.memorization, row.recovery, row.random_prediction});
  return cell;
}

const std::vector<std::pair<std::string, Member>> kOutcomes = {
    {"learning (test accuracy)", &EpochMetrics::test_accuracy},
    {"memorization", &EpochMetrics::memorization},
    {"recovery", &EpochMetrics::recovery},
    {"random prediction", &EpochMetrics::random_prediction},
    {"overfit gap", &EpochMetrics::overfit_gap},
    {"train accuracy", &EpochMetrics::train_accuracy},
};

std::vector<double> final_values(const std::vector<const RunView*>& runs, Member member) {
  std::vector<double> values;
  for (const auto* run : runs)
    if (!std::isnan(run->last().*member)) values.push_back(run->last().*member);
  return values;
}

// At the last epoch, a group a seed.
std::vector<std::vector<double>> final_outcomes(const std::vector<const RunView*>& runs, RowOutcome outcome) {
  std::vector<std::vector<double>> groups;
  for (const auto* run : runs) groups.push_back(row_outcomes(*run, outcome, static_cast<double>(run->last().epoch)));
  return groups;
}

Cell before_after(double before, double after) {
  return {fixed(before) + " → " + fixed(after), "(" + with_sign(after - before) + ")"};
}

constexpr const char* kMatchedNote =
    "Both runs are read at their first epoch at which they fit the clean training rows equally well (the "
    "lower of the two "
    "final values), so a run that merely learns more slowly gains nothing here.";
constexpr const char* kEqualNote =
    "Both runs are read after the same number of epochs: the last epoch of the shorter run.";

}  // namespace

Table final_table(const Unit& unit) {
  Table table{"Where each run ended: " + unit.title,
              {{"norms"},
               {"seed", true},
               {"epoch", true},
               {"learning (test accuracy)", true, "%"},
               {"memorization", true, "%"},
               {"recovery", true, "%"},
               {"random prediction", true, "%"},
               {"noisy rows"},
               {"overfit gap", true, "points"},
               {"train accuracy", true, "%"}},
              {}};
  for (const auto& selection : unit.selections()) {
    for (const auto* run : unit.with(selection)) {
      const auto& last = run->last();
      const int64_t noisy = run->run.facts.noisy_rows;
      table.add({selection_cell(selection),
                 {std::to_string(run->run.seed)},
                 {epoch_text(run->run)},
                 share_of_rows(last.test_accuracy, run->run.facts.test_rows, 1),
                 share_of_rows(last.memorization, noisy),
                 share_of_rows(last.recovery, noisy),
                 share_of_rows(last.random_prediction, noisy),
                 outcome_bar(last),
                 {with_sign(last.overfit_gap)},
                 {fixed(last.train_accuracy)}});
    }
  }
  table.note = "In brackets: 95 % Wilson interval of a percentage of rows";
  if (!unit.runs.empty() && unit.runs[0]->run.facts.noisy_rows > 0)
    table.note += ", here of " + count_words(unit.runs[0]->run.facts.noisy_rows, "noisy row");
  table.note += ". The overfit gap is train minus test accuracy.";
  return table;
}

Table seeds_table(const Unit& unit) {
  Table table{"Over seeds, last epoch: " + unit.title, {{"norms"}, {"seeds", true}}, {}};
  for (const auto& [name, member] : kOutcomes)
    table.columns.push_back({name, true, name == "overfit gap" ? "points" : "%"});
  for (const auto& selection : unit.selections()) {
    const auto runs = unit.with(selection);
    if (runs.size() < 2) continue;
    std::vector<Cell> row = {selection_cell(selection), {std::to_string(runs.size())}};
    for (const auto& [name, member] : kOutcomes) {
      const auto values = final_values(runs, member);
      auto interval = t_interval(values);
      if (name != "overfit gap") interval = {std::max(0.0, interval.low), std::min(100.0, interval.high)};
      Cell cell{fixed(mean(values))};
      if (values.size() > 1) {
        RandomStream random(0, "bootstrap");
        cell.detail = "± " + fixed(sample_deviation(values)) + " " + in_brackets(interval) + "\nbootstrap " +
                      in_brackets(bootstrap_mean(values, random));
      }
      if (const auto outcome = outcome_of(member)) {
        const auto nested = rows_and_seeds(final_outcomes(runs, *outcome));
        if (!std::isnan(nested.low)) cell.detail += "\nrows too " + in_brackets(nested);
      }
      row.push_back(cell);
    }
    table.add(row);
  }
  table.note =
      "Mean ± standard deviation over seeds, 95 % interval of the mean (Student's t, cut at 0 and 100 %), bootstrap "
      "interval over seeds. Rows too: percentiles of 10,000 resamples that draw seeds and then the noisy rows of each, "
      "so "
      "that the few rows count as well as the few seeds.";
  return table;
}

Table pairs_table(const Unit& unit, Point point) {
  const bool is_matched = point == Point::MatchedFit;
  Table table{is_matched ? "At matched fit" : "At equal epochs",
              {{"norms"}, {"seed", true}, {"epoch", true, "intact → removed"}},
              {}};
  for (const auto& [name, member] : kOutcomes)
    table.columns.push_back({name, true, name == "overfit gap" ? "points" : "%"});
  for (const auto& selection : unit.selections()) {
    for (const auto& pair : find_pairs(unit, selection)) {
      const auto reading = read_pair(pair, point);
      if (!reading.is_defined) continue;
      const int decimals = is_matched ? 1 : 0;
      std::vector<Cell> row = {
          selection_cell(selection),
          {std::to_string(pair.removed->run.seed)},
          {fixed(reading.intact_epoch, decimals) + " → " + fixed(reading.removed_epoch, decimals)}};
      for (const auto& [name, member] : kOutcomes)
        row.push_back(before_after(reading.intact.*member, reading.removed.*member));
      table.add(row);
    }
  }
  table.note = is_matched ? kMatchedNote : kEqualNote;
  return table;
}

Table paired_differences_table(const Unit& unit, Point point) {
  Table table{std::string(point == Point::MatchedFit ? "Change by removal at matched fit: "
                                                     : "Change by removal at equal epochs: ") +
                  unit.title,
              {{"norms"}, {"seeds", true}},
              {}};
  for (const auto& [name, member] : kOutcomes) table.columns.push_back({name, true, "points"});
  for (const auto& selection : unit.selections()) {
    const auto pairs = find_pairs(unit, selection);
    if (pairs.size() < 2) continue;
    std::vector<Cell> row = {selection_cell(selection), {std::to_string(pairs.size())}};
    for (const auto& [name, member] : kOutcomes) {
      std::vector<double> differences;
      for (const auto& pair : pairs) {
        const auto reading = read_pair(pair, point);
        const double difference = reading.removed.*member - reading.intact.*member;
        if (!std::isnan(difference)) differences.push_back(difference);
      }
      const auto test = paired_t_test(differences);
      Cell cell{with_sign(test.mean)};
      if (!std::isnan(test.p)) cell.detail = in_brackets(test.interval) + "\np " + p_words(test.p);
      row.push_back(cell);
    }
    table.add(row);
  }
  table.note =
      "Removed minus intact, paired by seed: mean, 95 % interval and p of a two-sided paired t-test, not "
      "corrected for the "
      "number of tests. " +
      std::string(point == Point::MatchedFit ? kMatchedNote : kEqualNote);
  return table;
}

Table settings_table(const StudyView& study) {
  Table table{"What was trained",
              {{"model and data"},
               {"placement"},
               {"rows", true, "train / validation / test"},
               {"classes", true},
               {"label noise"},
               {"norms", true},
               {"parameters", true},
               {"runs", true},
               {"seeds"}},
              {}};
  for (const auto& unit : study.units) {
    const RunView* known = unit.runs[0];
    for (const auto* run : unit.runs)
      if (run->run.facts.train_rows > 0) known = run;
    const auto& facts = known->run.facts;
    std::vector<std::string> seeds;
    for (const int64_t seed : unit.seeds()) seeds.push_back(std::to_string(seed));
    std::string noise = "none";
    if (facts.noisy_rows > 0) {
      noise = grouped(facts.noisy_rows) + " rows, " + facts.noise_kind;
      if (!facts.noisy_class.empty()) noise += ", class " + facts.noisy_class;
    }
    table.add({{unit.title},
               {placement_words(unit.placement)},
               {grouped(facts.train_rows) + " / " + grouped(facts.validation_rows) + " / " + grouped(facts.test_rows)},
               {std::to_string(facts.labels.size())},
               {noise},
               {std::to_string(facts.norms)},
               {grouped(facts.parameters + facts.removed_parameters)},
               {std::to_string(unit.runs.size())},
               {join(seeds, ", ")}});
  }
  return table;
}

std::vector<Table> all_tables(const StudyView& study) {
  std::vector<Table> tables = {settings_table(study)};
  for (const auto& unit : study.units) {
    tables.push_back(final_table(unit));
    tables.push_back(seeds_table(unit));
    tables.push_back(memorization_table(unit));
    tables.push_back(history_table(unit));
    for (const auto point : {Point::EqualEpochs, Point::MatchedFit}) {
      auto table = pairs_table(unit, point);
      table.title += ": " + unit.title;
      tables.push_back(table);
    }
    for (const auto point : {Point::EqualEpochs, Point::MatchedFit})
      tables.push_back(paired_differences_table(unit, point));
  }
  tables.push_back(chosen_rates_table(study));
  const auto verdicts = judge(study);
  tables.push_back(placement_table(study, verdicts));
  tables.push_back(verdict_table(verdicts));
  tables.push_back(control_table(judge_controls(study)));
  for (auto& [run, measurement] : read_measurements(study))
    for (auto& table : measurement.tables) tables.push_back(std::move(table));
  std::erase_if(tables, [](const Table& table) { return table.rows.empty(); });
  return tables;
}

}  // namespace normscope
