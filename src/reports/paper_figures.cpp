// Draws the authors' logs: a bar a model, lines over epochs with the published one marked, gradients over depth.
#include "reports/paper_figures.h"

#include <algorithm>

#include "core/text.h"
#include "reports/curves.h"
#include "reports/gradient_figures.h"
#include "reports/norm_means.h"
#include "reports/paper_readings.h"
#include "reports/paper_tables.h"
#include "reports/words.h"

namespace normscope {
namespace {

constexpr const char* kBarColours[] = {"#882255", "#88ccee", "#332288"};  // P. Tol's muted set

// Where the paper reads the runs.
std::string published_mark(const PaperModel& model) {
  const std::string epoch = std::to_string(model.published_epoch());
  return "set arrow from " + epoch + ", graph 0 to " + epoch + ", graph 1 nohead lw 1.2 dt (2,3) lc '#777777'\n";
}

std::vector<CurveLine> paper_lines(const Unit& unit, const std::string& name, double EpochMetrics::*member) {
  std::vector<CurveLine> lines;
  for (const auto& selection : unit.selections()) {
    if (selection == "attention" || selection == "output") continue;  // a single seed each; the table has them
    const std::string words = selection_words(selection);
    lines.push_back({name + " " + words, words, selection_colour(selection), unit.with(selection), member, kSolid});
  }
  return lines;
}

FigureGroup curves_of(const PaperUnit& paper, const std::string& prefix) {
  FigureGroup group{
      "Over epochs",
      "Means over seeds; bands reach from the lowest to the highest seed. The dotted line is the epoch that "
      "the paper reports.",
      {}};
  const Unit unit = paper.unit();
  const std::string mark = published_mark(*paper.model);
  struct Quantity {
    const char *name, *title;
    double EpochMetrics::*member;
    std::string axis;
  };
  const Quantity quantities[] = {
      {"test_accuracy", "Learning: test accuracy", &EpochMetrics::test_accuracy, kAccuracyAxis},
      {"overfit_gap", "Overfit gap: train minus test accuracy", &EpochMetrics::overfit_gap, kGapAxis},
      {"memorization", "Memorization: the false label is repeated", &EpochMetrics::memorization, kNoisyRowsAxis},
      {"recovery", "Recovery: the true label is said", &EpochMetrics::recovery, kNoisyRowsAxis}};
  for (const auto& [name, title, member, axis] : quantities)
    group.figures.push_back(
        curves(paper_lines(unit, name, member),
               {prefix + name, title, "Lines over epochs of " + paper.title() + ": " + title, mark + axis}));
  return group;
}

Figure gradient_epochs(const PaperGradients& gradients, const std::string& prefix) {
  Figure figure{prefix + "gradients_epochs",
                "Attention norms, test rows, over epochs",
                "Lines over epochs: learning gradient norm at three attention norms",
                {"epoch"},
                {},
                ""};
  constexpr const char* kColours[] = {"#0072b2", "#009e73", "#e69f00"};
  std::vector<std::string> elements;
  for (const auto& [layer, values] : gradients.by_epoch) {
    figure.columns.push_back("layer " + std::to_string(layer));
    figure.rows.resize(std::max(figure.rows.size(), values.size()));
    elements.push_back("$data using 1:" + std::to_string(figure.columns.size()) + " with lines lw 2.2 lc '" +
                       kColours[elements.size() % 3] + "' title 'layer " + std::to_string(layer) + "'");
  }
  for (size_t epoch = 0; epoch < figure.rows.size(); ++epoch) {
    figure.rows[epoch].push_back(static_cast<double>(epoch + 1));
    for (const auto& [layer, values] : gradients.by_epoch)
      figure.rows[epoch].push_back(epoch < values.size() ? values[epoch] : kUndefined);
  }
  figure.commands = "set xlabel 'epoch'\nset logscale y\nset format y '%.0e'\nset ylabel 'gradient norm'\nplot " +
                    join(elements, ", \\\n") + "\n";
  figure.height = 310;
  return figure;
}

FigureGroup gradients_of(const PaperUnit& paper, const std::string& prefix) {
  FigureGroup group{
      "Gradients at the norms",
      "The authors' quantity, of one trained model with all its norms; the table of gradients says what it "
      "suffers from.",
      {}};
  const auto& gradients = paper.gradients;
  for (const auto& [role, learning] : gradients.learning) {
    const auto memorization = gradients.memorization.find(role);
    if (memorization == gradients.memorization.end() || memorization->second.size() != learning.size()) continue;
    DepthGradients depth{{}, learning, memorization->second};
    for (size_t layer = 0; layer < learning.size(); ++layer) depth.layers.push_back(static_cast<double>(layer));
    const std::string norms = role == "attention" ? "attention norms" : "feed-forward norms";
    group.figures.push_back(gradients_over_depth(prefix + "gradients_" + role, norms + " over depth", norms, depth));
  }
  if (!gradients.by_epoch.empty()) group.figures.push_back(gradient_epochs(gradients, prefix));
  return group;
}

}  // namespace

FigureGroup paper_placements_figures() {
  std::vector<const PaperUnit*> units;
  for (const auto& unit : paper_logs().units)
    if (unit.is_published()) units.push_back(&unit);
  std::stable_sort(units.begin(), units.end(),
                   [](const auto* a, const auto* b) { return a->model->placement < b->model->placement; });
  Figure figure{"paper_memorization_by_epoch",
                "Memorization with all norms removed",
                "Bars: memorization of every model with all norms removed, as published, at epoch 40 and at epoch 70",
                {"position", "as published", "epoch 40", "epoch 70"},
                {},
                ""};
  std::vector<std::string> ticks, elements;
  for (size_t i = 0; i < units.size(); ++i) {
    std::vector<double> row = {static_cast<double>(i)};
    for (const auto epoch : {static_cast<double>(units[i]->model->published_epoch()), 40.0, 70.0}) {
      const auto reading = read_paper_at(*units[i], "all", epoch);
      const bool is_reached = reading.removed_epochs.at(0) == epoch;
      row.push_back(is_reached ? mean(reading.values(&EpochMetrics::memorization)) : kUndefined);
    }
    figure.rows.push_back(row);
    ticks.push_back(quote_gnuplot(std::string(units[i]->model->name)) + " " + std::to_string(i));
  }
  for (int bar = 0; bar < 3; ++bar)
    elements.push_back("$data using ($1+" + format_number(0.26 * (bar - 1)) + "):" + std::to_string(2 + bar) +
                       ":(0.24) with boxes fs solid 0.9 noborder lc '" + kBarColours[bar] + "' title '" +
                       figure.columns[static_cast<size_t>(1 + bar)] + "'");
  const auto post =
      std::count_if(units.begin(), units.end(), [](const auto* unit) { return unit->model->placement == "post_norm"; });
  const std::string between = format_number(static_cast<double>(post) - 0.5);
  figure.commands = std::string(kNoisyRowsAxis) +
                    "set xrange [-0.6:" + format_number(static_cast<double>(units.size()) - 0.4) +
                    "]\nset xtics rotate by 35 right (" + join(ticks, ", ") + ") scale 0\nset arrow from " + between +
                    ", graph 0 to " + between +
                    ", graph 1.06 nohead lw 1.2 lc '#777777'\nset label 'Post-LN' at graph 0.02, graph 1.04\n" +
                    "set label 'Pre-LN' at " + format_number(static_cast<double>(post) - 0.35) + ", graph 1.04\nplot " +
                    join(elements, ", \\\n") + "\n";
  figure.width = 900;
  figure.height = 380;
  return {"",
          "The paper reads Post-LN models at epoch 40 and Pre-LN models at epoch 70; here every model is read at both.",
          {figure}};
}

std::vector<FigureGroup> paper_unit_figures(const PaperUnit& unit) {
  const std::string prefix = "paper_" + file_part(unit.title()) + "_";
  std::vector<FigureGroup> groups = {curves_of(unit, prefix)};
  if (!unit.gradients.empty()) groups.push_back(gradients_of(unit, prefix));
  return groups;
}

}  // namespace normscope
