// Fills the tables of the authors' logs.
#include "reports/paper_tables.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/text.h"
#include "reports/cells.h"
#include "reports/paper_facts.h"
#include "reports/words.h"

namespace normscope {
namespace {

using Member = double EpochMetrics::*;

// One number where all seeds are read at the same epoch.
std::string epochs_text(const std::vector<double>& epochs) {
  const auto [low, high] = std::minmax_element(epochs.begin(), epochs.end());
  const auto text = [](double epoch) { return fixed(epoch, epoch == std::floor(epoch) ? 0 : 1); };
  return *low == *high ? text(*low) : text(*low) + " to " + text(*high);
}

// Post-LN first, as the paper's tables, then by data set.
std::vector<const PaperUnit*> published_units() {
  std::vector<const PaperUnit*> units;
  for (const auto& unit : paper_logs().units)
    if (unit.is_published()) units.push_back(&unit);
  std::stable_sort(units.begin(), units.end(), [](const auto* a, const auto* b) {
    return a->model->placement < b->model->placement;  // "post_norm" before "pre_norm"
  });
  return units;
}

// Mean over the models of one placement of their means over seeds.
double placement_mean(std::string_view placement, double epoch, Member member) {
  std::vector<double> means;
  for (const auto* unit : published_units())
    if (unit->model->placement == placement) means.push_back(mean(read_paper_at(*unit, "all", epoch).values(member)));
  return mean(means);
}

double share_of_first(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? kUndefined : 100 * values[0] / sum;
}

std::vector<double> scaled(const std::vector<double>& gradients, const std::vector<double>& deviations) {
  std::vector<double> values;
  for (size_t i = 0; i < std::min(gradients.size(), deviations.size()); ++i)
    values.push_back(gradients[i] * deviations[i]);
  return values;
}

double rank_by_depth(const std::vector<double>& values) {
  std::vector<double> layers;
  for (size_t i = 0; i < values.size(); ++i) layers.push_back(static_cast<double>(i));
  return spearman(layers, values).rho;
}

std::string span_words(double first, double last) { return scientific(first) + " … " + scientific(last); }

std::string places_of(const PaperFact& fact) {
  std::set<std::string> titles;
  size_t total = 0;
  for (const auto& unit : paper_logs().units) {
    ++total;
    for (const auto& selection : unit.selections())
      for (const auto* found : facts_of(unit, selection, fact.touches, true))
        if (found == &fact && (fact.touches == "training" || !unit.gradients.empty())) titles.insert(unit.title());
  }
  if (titles.size() == total) return "every run";
  const std::vector<std::string> list(titles.begin(), titles.end());
  std::string text = join(list, ", ");
  if (!fact.selections.empty()) text += " (norms removed: " + std::string(fact.selections) + ")";
  return text;
}

}  // namespace

std::string paper_selection_words(const std::string& norm_selection) {
  if (norm_selection == "attention") return "attention norms removed";
  if (norm_selection == "output") return "feed-forward norms removed";
  return selection_words(norm_selection);
}

Table paper_placements_table() {
  Table table{"All norms removed: published epochs beside equal epochs",
              {{"model and data"},
               {"placement"},
               {"seeds", true},
               {"published at", true, "epoch"},
               {"learning", true, "%, as published"},
               {"memorization", true, "%, as published"},
               {"recovery", true, "%, as published"},
               {"learning", true, "%, epoch 40"},
               {"memorization", true, "%, epoch 40"},
               {"recovery", true, "%, epoch 40"},
               {"learning", true, "%, epoch 70"},
               {"memorization", true, "%, epoch 70"},
               {"recovery", true, "%, epoch 70"},
               {"marks", false, "", true}},
              {}};
  for (const auto* unit : published_units()) {
    const auto published = static_cast<double>(unit->model->published_epoch());
    std::vector<Cell> row = {{unit->title()},
                             {placement_words(std::string(unit->model->placement))},
                             {std::to_string(unit->with("all").size())}};
    row.push_back({epochs_text(read_paper_at(*unit, "all", published).removed_epochs)});
    for (const double epoch : {published, 40.0, 70.0}) {
      const auto reading = read_paper_at(*unit, "all", epoch);
      const bool is_reached = *std::min_element(reading.removed_epochs.begin(), reading.removed_epochs.end()) == epoch;
      for (const auto member : {&EpochMetrics::test_accuracy, &EpochMetrics::memorization, &EpochMetrics::recovery})
        row.push_back(is_reached ? mean_cell(reading.values(member)) : Cell{"–"});
    }
    row.push_back({join(contrast_marks(*unit, "all"), "; ")});
    table.add(row);
  }
  table.note =
      "Mean ± standard deviation over seeds. The paper compares the columns as published, which set Post-LN models at "
      "epoch 40 against Pre-LN models at epoch 70. D numbers are explained under what is known to be wrong.";
  return table;
}

Table paper_unit_table(const PaperUnit& unit) {
  Table table{unit.title() + " (" + placement_words(std::string(unit.model->placement)) + ")",
              {{"norms"}, {"read at"}, {"epoch", true, "intact → removed"}, {"seeds", true}},
              {}};
  for (const auto& [name, member] : kQuantities)
    table.columns.push_back({name, true, member == &EpochMetrics::overfit_gap ? "points" : "%"});
  table.columns.push_back({"change of learning", true, "points"});
  table.columns.push_back({"change of memorization", true, "points"});
  table.columns.push_back({"marks", false, "", true});
  for (const auto& selection : unit.selections()) {
    PaperReading before;
    for (const auto point : {PaperPoint::Published, PaperPoint::EqualEpochs, PaperPoint::MatchedFit}) {
      const auto reading = read_paper(unit, selection, point);
      if (reading.removed.empty()) continue;
      if (reading.removed_epochs == before.removed_epochs && reading.intact_epochs == before.intact_epochs) {
        table.rows.back()[1].text += std::string(", ") + to_text(point);  // published at equal epochs
        continue;
      }
      before = reading;
      std::string epochs = epochs_text(reading.removed_epochs);
      if (!reading.intact.empty()) epochs = epochs_text(reading.intact_epochs) + " → " + epochs;
      std::vector<Cell> row = {{paper_selection_words(selection), "", "colour:" + selection_colour(selection)},
                               {to_text(point)},
                               {epochs},
                               {std::to_string(reading.removed.size())}};
      for (const auto& [name, member] : kQuantities) row.push_back(mean_cell(reading.values(member)));
      row.push_back(mean_cell(reading.changes(&EpochMetrics::test_accuracy), true));
      row.push_back(mean_cell(reading.changes(&EpochMetrics::memorization), true));
      row.push_back({point == PaperPoint::Published ? join(contrast_marks(unit, selection), "; ") : ""});
      table.add(row);
    }
  }
  table.note =
      "Mean ± standard deviation over seeds; changes are removed minus intact, and with one intact seed their "
      "deviation is "
      "that of the removed runs only. Equal epochs: the last epoch of the shorter run. Matched fit: the first epochs "
      "at "
      "which both reach the same running train accuracy.";
  return table;
}

Table paper_gradients_table() {
  Table table{"Gradients at the norms of intact models",
              {{"model and data"},
               {"placement"},
               {"norm"},
               {"learning", true, "first … last block"},
               {"memorization", true, "first … last block"},
               {"ratio", true, "smallest"},
               {"ratio", true, "largest"},
               {"rank by depth", true, "learning"},
               {"first block's share", true, "%"},
               {"first block's share, scale-free", true, "%"},
               {"marks", false, "", true}},
              {}};
  for (const auto& unit : paper_logs().units) {
    for (const auto& [role, learning] : unit.gradients.learning) {
      const auto at = unit.gradients.memorization.find(role);
      if (at == unit.gradients.memorization.end() || at->second.size() != learning.size() || learning.empty()) continue;
      const auto& memorization = at->second;
      std::vector<double> ratios;
      for (size_t i = 0; i < learning.size(); ++i) ratios.push_back(learning[i] / memorization[i]);
      const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
      const auto deviation = unit.gradients.deviation.find(role);
      const double scale_free = deviation == unit.gradients.deviation.end()
                                    ? kUndefined
                                    : share_of_first(scaled(learning, deviation->second));
      std::vector<std::string> marks = {"single seed"};
      for (const auto* fact : facts_of(unit, "none", "gradients", true)) marks.emplace_back(fact->id);
      table.add({{unit.title()},
                 {placement_words(std::string(unit.model->placement))},
                 {role == "attention" ? "attention" : "feed-forward"},
                 {span_words(learning.front(), learning.back())},
                 {span_words(memorization.front(), memorization.back())},
                 {fixed(*low)},
                 {fixed(*high)},
                 {fixed(rank_by_depth(learning), 2)},
                 {fixed(share_of_first(learning))},
                 {fixed(scale_free)},
                 {join(marks, "; ")}});
    }
  }
  table.note =
      "The authors' quantity: the norm of the mean absolute gradient at a norm's input, over test rows with true "
      "labels "
      "(learning) and noisy rows with the labels they were given (memorization), of one trained model. Rank by depth: "
      "Spearman's correlation of layer and learning gradient. Scale-free: times the deviation of the norm's input, "
      "where "
      "it was logged.";
  return table;
}

Table paper_facts_table() {
  Table table{"", {{"mark"}, {"what", false, "", true}, {"of"}, {"where", false, "", true}}, {}};
  for (const auto& fact : paper_facts())
    table.add({{std::string(fact.id)}, {std::string(fact.what)}, {std::string(fact.touches)}, {places_of(fact)}});
  table.note =
      "Verified in the authors' scripts and logs. The other marks say what the logs themselves show: how many seeds a "
      "contrast has, where an intact run ends, and whether its noisy rows are those of the removed runs.";
  return table;
}

std::vector<Table> paper_tables() {
  std::vector<Table> tables = {paper_placements_table()};
  for (const auto& unit : paper_logs().units) tables.push_back(paper_unit_table(unit));
  tables.push_back(paper_gradients_table());
  tables.push_back(paper_facts_table());
  return tables;
}

std::vector<std::string> paper_sentences() {
  const auto at = [](std::string_view placement, double epoch) {
    return fixed(placement_mean(placement, epoch, &EpochMetrics::memorization)) + " %";
  };
  const auto learning = [](std::string_view placement, double epoch) {
    return fixed(placement_mean(placement, epoch, &EpochMetrics::test_accuracy)) + " %";
  };
  size_t contrasts = 0, single = 0, absent = 0;
  for (const auto& unit : paper_logs().units) {
    if (!unit.is_published()) continue;
    ++contrasts;
    const size_t intact = unit.with("none").size();
    absent += intact == 0;
    single += intact == 1;
  }
  return {
      "As published, with all norms removed: Post-LN models, read at epoch 40, memorize " + at("post_norm", 40) +
          " of the noisy rows and Pre-LN models, read at epoch 70, " + at("pre_norm", 70) +
          " (means over models of means over seeds); test accuracy is " + learning("post_norm", 40) + " and " +
          learning("pre_norm", 70) + ".",
      "At equal epochs the contrast is smaller: " + at("post_norm", 40) + " against " + at("pre_norm", 40) +
          " at epoch 40, and " + at("post_norm", 70) + " against " + at("pre_norm", 70) +
          " at epoch 70, where DistilBERT is read at its last, 40. Memorization goes on rising in the Post-LN models "
          "after the epoch that was published.",
      "Of " + count_words(static_cast<int64_t>(contrasts), "published pair") + " of model and data, " +
          std::to_string(single) + " have an intact log of a single seed and " + std::to_string(absent) +
          " have none, so the logs give no spread to a difference between intact and removed.",
  };
}

}  // namespace normscope
