#include "reports/chosen_rates.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/text.h"
#include "reports/cells.h"
#include "reports/unit_settings.h"
#include "reports/words.h"

namespace normscope {
namespace {

constexpr const char* kRate = "training.learning_rate";

// Finished runs of one selection at one rate.
struct Candidate {
  double rate = 0;
  std::string words;  // of the rate, as the recipe writes it
  std::vector<const RunView*> runs;

  std::vector<double> last(double EpochMetrics::*metric) const {
    std::vector<double> values;
    for (const auto* run : runs) values.push_back(run->last().*metric);
    return values;
  }
  double validation() const { return mean(last(&EpochMetrics::validation_accuracy)); }
};

// Units that differ in the rate alone; a unit that differs from none stands alone.
std::vector<std::vector<const Unit*>> groups_by_rate(const StudyView& study) {
  std::vector<std::vector<const Unit*>> groups;
  for (const auto& unit : study.units) {
    std::vector<const Unit*>* home = nullptr;
    for (auto& group : groups)
      if (differing_keys(settings_of(*group[0]), settings_of(unit)) == std::set<std::string>{kRate}) home = &group;
    if (home == nullptr) home = &groups.emplace_back();
    home->push_back(&unit);
  }
  return groups;
}

// The best rate first; empty unless several were tried and validated.
std::vector<Candidate> candidates(const std::vector<const Unit*>& group, const std::string& selection) {
  std::vector<Candidate> tried;
  for (const auto* unit : group) {
    const auto words = value_of(settings_of(*unit), kRate);
    Candidate candidate{std::strtod(words.c_str(), nullptr), words, {}};
    for (const auto* run : unit->with(selection))
      if (run->run.state == RunState::Done) candidate.runs.push_back(run);
    if (!candidate.runs.empty() && !std::isnan(candidate.validation())) tried.push_back(std::move(candidate));
  }
  std::sort(tried.begin(), tried.end(), [](const Candidate& a, const Candidate& b) {
    return std::pair(-a.validation(), a.rate) < std::pair(-b.validation(), b.rate);
  });
  if (tried.size() < 2) tried.clear();
  return tried;
}

// By seed: removed minus intact, each at its own rate.
std::vector<double> changes(const Candidate& removed, const Candidate& intact, double EpochMetrics::*metric) {
  std::vector<double> values;
  for (const auto* one : removed.runs)
    for (const auto* twin : intact.runs)
      if (one->run.seed == twin->run.seed) values.push_back(one->last().*metric - twin->last().*metric);
  return values;
}

}  // namespace

Table chosen_rates_table(const StudyView& study) {
  Table table{"Every selection at its own learning rate",
              {{"runs", false, "", true},
               {"norms"},
               {"chosen rate", true},
               {"tried", false, "validation accuracy, %"},
               {"learning", true, "%"},
               {"memorization", true, "%"},
               {"recovery", true, "%"},
               {"change of learning", true, "points"},
               {"change of memorization", true, "points"}},
              {}};
  for (const auto& group : groups_by_rate(study)) {
    std::vector<std::string> selections;
    for (const auto* unit : group)
      for (const auto& selection : unit->selections())
        if (std::find(selections.begin(), selections.end(), selection) == selections.end())
          selections.push_back(selection);
    const auto intact = candidates(group, "none");
    for (const auto& selection : selections) {
      const auto tried = candidates(group, selection);
      if (tried.empty()) continue;
      std::vector<std::string> all;
      for (const auto& candidate : tried) all.push_back(candidate.words + ": " + fixed(candidate.validation()));
      const auto& best = tried[0];
      std::vector<Cell> row = {{group[0]->title.substr(0, group[0]->title.find(" (training.learning_rate"))},
                               selection_cell(selection),
                               {best.words},
                               {join(all, ", ")},
                               mean_cell(best.last(&EpochMetrics::test_accuracy)),
                               mean_cell(best.last(&EpochMetrics::memorization)),
                               mean_cell(best.last(&EpochMetrics::recovery))};
      for (const auto metric : {&EpochMetrics::test_accuracy, &EpochMetrics::memorization}) {
        const auto values =
            intact.empty() || selection == "none" ? std::vector<double>() : changes(best, intact[0], metric);
        row.push_back(values.empty() ? Cell{"–"} : mean_cell(values, true));
      }
      table.add(std::move(row));
    }
  }
  table.note =
      "Chosen by the validation accuracy after the last epoch, mean over seeds; the test rows have no say. Changes are "
      "paired by seed against intact norms at their own chosen rate, with their deviation over seeds. Validation rows "
      "have true labels.";
  return table;
}

}  // namespace normscope
