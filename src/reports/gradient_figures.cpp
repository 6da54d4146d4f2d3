// The lines are means over seeds of stored readings: learning against memorization, intact and removed.
#include "reports/gradient_figures.h"

#include <algorithm>
#include <set>

#include "core/text.h"
#include "reports/norm_means.h"
#include "reports/words.h"

namespace normscope {
namespace {

constexpr const char* kRatioColour = "#cc3311";
constexpr const char* kLogAxis = "set logscale y\nset format y '%.0e'\nset ylabel 'gradient norm'\n";

Figure over_depth(const NormMeans& means, const std::string& role, const std::string& selection,
                  const std::string& prefix) {
  const std::string words = selection_words(selection);
  const std::string norms = role == "attention" ? "attention norms" : "feed-forward norms";
  const int64_t epoch = means.last_epoch("learning");
  DepthGradients gradients;
  for (const int64_t layer : means.layers) {
    gradients.layers.push_back(static_cast<double>(layer));
    gradients.learning.push_back(means.at("learning", role, layer, epoch));
    gradients.memorization.push_back(means.at("memorization", role, layer, epoch));
  }
  return gradients_over_depth(prefix + "gradients_depth_" + role + "_" + file_part(words),
                              norms + ", " + words + ", epoch " + std::to_string(epoch), norms, gradients);
}

// First, middle and last block: learning solid, memorization dashed.
Figure over_epochs(const NormMeans& gradients, const std::string& selection, const std::string& prefix) {
  const std::string words = selection_words(selection);
  Figure figure;
  figure.name = prefix + "gradients_epochs_" + file_part(words);
  figure.title = "attention norms, " + words + ": learning solid, memorization dashed";
  figure.alt = "Lines over epochs: learning (solid) and memorization (dashed) gradient norm of three blocks";
  figure.columns = {"epoch"};
  const std::vector<int64_t> all(gradients.layers.begin(), gradients.layers.end());
  const std::set<int64_t> shown = {all.front(), all[all.size() / 2], all.back()};
  constexpr const char* kColours[] = {"#0072b2", "#009e73", "#e69f00"};
  std::vector<std::string> elements;
  for (const int64_t place : shown) {
    const std::string layer = std::to_string(place);
    const size_t i = elements.size() / 2;
    figure.columns.push_back("learning layer " + layer);
    figure.columns.push_back("memorization layer " + layer);
    const std::string colour = std::string(" lc '") + kColours[i] + "' ";
    elements.push_back("$data using 1:" + std::to_string(2 + 2 * i) + " with linespoints pt 7 ps 0.4 lw 2.2 dt 1" +
                       colour + "title 'layer " + layer + "'");
    elements.push_back("$data using 1:" + std::to_string(3 + 2 * i) + " with linespoints pt 6 ps 0.4 lw 1.4 dt (6,4)" +
                       colour + "notitle");
  }
  for (const int64_t epoch : gradients.epochs) {
    std::vector<double> row = {static_cast<double>(epoch)};
    for (const int64_t layer : shown)
      for (const char* split : {"learning", "memorization"})
        row.push_back(gradients.at(split, "attention", layer, epoch));
    figure.rows.push_back(row);
  }
  figure.commands = std::string("set xlabel 'epoch'\n") + kLogAxis + "plot " + join(elements, ", \\\n") + "\n";
  figure.height = 310;
  return figure;
}

}  // namespace

Figure gradients_over_depth(const std::string& name, const std::string& title, const std::string& norms,
                            const DepthGradients& gradients) {
  Figure figure;
  figure.name = name;
  figure.title = title;
  figure.alt = "Lines over layers: learning and memorization gradient norm of the " + norms + ", and their ratio";
  figure.columns = {"layer", "learning", "memorization", "ratio"};
  for (size_t i = 0; i < gradients.layers.size(); ++i)
    figure.rows.push_back({gradients.layers[i], gradients.learning[i], gradients.memorization[i],
                           gradients.learning[i] / gradients.memorization[i]});
  figure.commands =
      std::string("set xlabel 'layer'\n") + (gradients.layers.size() <= 13 ? "set xtics 1\n" : "") + kLogAxis +
      "set ytics nomirror\nset y2tics\nset y2label 'ratio'\n"
      "plot $data using 1:2 with linespoints pt 7 ps 0.5 lw 2.2 lc '" +
      kLearningColour + "' title 'learning', \\\n$data using 1:3 with linespoints pt 7 ps 0.5 lw 2.2 lc '" +
      kMemorizedColour + "' title 'memorization', \\\n$data using 1:4 axes x1y2 with lines lw 1.4 dt (6,4) lc '" +
      kRatioColour + "' title 'ratio (right axis)'\n";
  figure.height = 310;
  return figure;
}

FigureGroup gradient_figures(const Unit& unit, const std::string& prefix) {
  FigureGroup group{"Gradients at the norms",
                    "Mean over rows of the gradient's norm at each norm's input (total): test rows with true labels "
                    "(learning) and noisy rows with the labels they were given (memorization); the paper's figure 4. A "
                    "row that is fitted "
                    "has a small gradient whatever the norms do; normscope measure separates the two.",
                    {}};
  std::vector<Figure> epochs;
  for (const auto& selection : unit.selections()) {
    const NormMeans gradients(unit.with(selection), "gradient_norm");
    if (gradients.layers.empty() || gradients.last_epoch("learning") < 0) continue;
    for (const char* role : {"attention", "feed_forward"})
      group.figures.push_back(over_depth(gradients, role, selection, prefix));
    if (gradients.epochs.size() > 1) epochs.push_back(over_epochs(gradients, selection, prefix));
  }
  std::ranges::move(epochs, std::back_inserter(group.figures));
  return group;
}

}  // namespace normscope
