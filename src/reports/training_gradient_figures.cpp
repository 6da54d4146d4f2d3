#include "reports/training_gradient_figures.h"

#include "reports/norm_lines.h"

namespace normscope {
namespace {

std::vector<NormLine> lines_of(const Unit& unit, const std::string& split, const std::string& metric) {
  std::vector<NormLine> lines;
  for (const auto& selection : unit.selections()) {
    NormLine line{selection, split, NormMeans(unit.with(selection), metric)};
    if (line.last_epoch() >= 0) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

FigureGroup training_gradient_figures(const Unit& unit, const std::string& prefix) {
  FigureGroup group{"Gradients while training",
                    "What the training passes themselves computed, in train mode, while the parameters moved: the mean "
                    "over an epoch's rows of the gradient's norm at each norm's input, for the noisy rows and for the "
                    "others, both with the labels they were given; and the length of an update's gradient at w, mean "
                    "over the epoch's updates. After removal there is no w.",
                    {}};
  const std::string at_input = "set logscale y\nset format y '%.0e'\nset ylabel 'gradient norm'\n";
  const NormLineStyle noisy{prefix + "training_gradients_noisy", "Gradient of the noisy rows",
                            "gradient norm of the noisy rows", at_input};
  const NormLineStyle clean{prefix + "training_gradients_clean", "Gradient of the other rows",
                            "gradient norm of the rows with true labels", at_input};
  const NormLineStyle weight{prefix + "training_gradients_weight", "Gradient at w", "length of the gradient at w",
                             "set logscale y\nset format y '%.0e'\nset ylabel '|gradient at w|'\n"};
  const auto noisy_lines = lines_of(unit, "memorization", "training_gradient_norm");
  const auto clean_lines = lines_of(unit, "train_clean", "training_gradient_norm");
  const auto weight_lines = lines_of(unit, "train", "training_gradient_weight");
  if (!noisy_lines.empty()) group.figures.push_back(norm_lines_over_depth(noisy_lines, noisy));
  if (!clean_lines.empty()) group.figures.push_back(norm_lines_over_depth(clean_lines, clean));
  if (!weight_lines.empty()) group.figures.push_back(norm_lines_over_depth(weight_lines, weight));
  for (const auto& line : noisy_lines)
    if (line.means.epochs.size() > 1) group.figures.push_back(norm_lines_over_epochs(line, noisy));
  return group;
}

}  // namespace normscope
