// Reads the curves of every run: what is never reached is said, not guessed.
#include "reports/memorization_table.h"

#include <cmath>

#include "reports/cells.h"
#include "reports/words.h"

namespace normscope {
namespace {

constexpr double kCleanAccuracy = 95;  // %, of the matched reading
constexpr double kTrainLoss = 0.2;     // nats a row, of the matched reading

Cell time_cell(double epoch) { return std::isnan(epoch) ? Cell{"not reached"} : Cell{fixed(epoch)}; }

// Memorization / recovery at an epoch.
Cell matched_cell(const RunView& run, double epoch) {
  if (std::isnan(epoch)) return {"not reached"};
  return {fixed(value_at(curve(run, &EpochMetrics::memorization), epoch)) + " / " +
              fixed(value_at(curve(run, &EpochMetrics::recovery), epoch)),
          "epoch " + fixed(epoch)};
}

}  // namespace

Table memorization_table(const Unit& unit) {
  Table table{"How fast it memorizes: " + unit.title,
              {{"norms"},
               {"seed", true},
               {"50 % memorized", true, "epoch"},
               {"90 % memorized", true, "epoch"},
               {"recovery at its peak", true, "%"},
               {"recovery, mean over epochs", true, "%"},
               {"at " + fixed(kCleanAccuracy, 0) + " % clean train accuracy", true, "memorized / recovered, %"},
               {"at train loss " + fixed(kTrainLoss), true, "memorized / recovered, %"}},
              {}};
  for (const auto& selection : unit.selections()) {
    for (const auto* run : unit.with(selection)) {
      if (std::isnan(run->last().memorization)) continue;
      const auto memorization = curve(*run, &EpochMetrics::memorization);
      const auto recovery = curve(*run, &EpochMetrics::recovery);
      const auto top = peak(recovery);
      table.add({selection_cell(selection),
                 {std::to_string(run->run.seed)},
                 time_cell(first_reaching(memorization, 50)),
                 time_cell(first_reaching(memorization, 90)),
                 {fixed(top.value), std::isnan(top.at) ? "" : "epoch " + fixed(top.at, 0)},
                 {fixed(mean_height(recovery)), "area " + fixed(area_under(recovery), 0)},
                 matched_cell(*run, first_reaching(curve(*run, &EpochMetrics::train_clean_accuracy), kCleanAccuracy)),
                 matched_cell(*run, first_falling_to(curve(*run, &EpochMetrics::train_loss), kTrainLoss))});
    }
  }
  table.note =
      "Linear between epochs, epoch 0 counts; not reached: not within the epochs of the run. The area under recovery "
      "is percent times epochs. The two last columns read a run where it fits the clean rows or its running loss "
      "falls to a fixed value, so that slow and fast runs can be compared.";
  return table;
}

}  // namespace normscope
