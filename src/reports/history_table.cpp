#include "reports/history_table.h"

#include <algorithm>
#include <map>

#include "reports/cells.h"

namespace normscope {
namespace {

struct HistorySet {
  const char *split, *words;
};
constexpr HistorySet kSets[] = {{"memorization", "noisy rows, given label"},
                                {"noisy_true", "noisy rows, true label"},
                                {"clean_siblings", "their clean siblings"},
                                {"test", "test rows"}};
constexpr const char* kMetrics[] = {"history_first_learned_epoch", "history_ever_learned", "history_learned",
                                    "history_never_forgotten", "history_forgetting_events"};

// By split and metric, a value a run, each at the run's last epoch.
using Values = std::map<std::pair<std::string, std::string>, std::vector<double>>;

Values values_of(const std::vector<const RunView*>& runs) {
  Values values;
  for (const auto* run : runs)
    for (const auto& reading : run->norm_readings)
      if (reading.epoch == run->last().epoch && reading.metric.starts_with("history_"))
        values[{reading.split, reading.metric}].push_back(reading.value);
  return values;
}

}  // namespace

Table history_table(const Unit& unit) {
  Table table{"What became of the rows: " + unit.title,
              {{"norms"},
               {"rows"},
               {"first learned", true, "epoch"},
               {"ever learned", true, "%"},
               {"learned at the end", true, "%"},
               {"never forgotten", true, "% of the learned"},
               {"times forgotten", true, "a row"}},
              {}};
  for (const auto& selection : unit.selections()) {
    const auto values = values_of(unit.with(selection));
    for (const auto& [split, words] : kSets) {
      std::vector<Cell> row = {selection_cell(selection), {words}};
      bool is_known = false;
      for (const auto* metric : kMetrics) {
        const auto found = values.find({split, metric});
        row.push_back(found == values.end() ? Cell{"–"} : mean_cell(found->second));
        is_known |= found != values.end();
      }
      if (is_known) table.add(std::move(row));
    }
  }
  table.note =
      "Means over runs, in brackets their deviation. A row is learned when its label is predicted: training rows as "
      "the epoch met them, in train mode; test rows after the epoch. The first epoch is a mean over the rows that were "
      "ever learned; forgotten is learned after one epoch and not after the next. Clean siblings are the training rows "
      "of the noisy rows' true classes that kept their label.";
  return table;
}

}  // namespace normscope
