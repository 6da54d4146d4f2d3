// Gradient norms at the norms, over depth and over epochs.
#pragma once
#include <string>
#include <vector>

#include "reports/figures.h"

namespace normscope {

// One norm a block, all lists by layer.
struct DepthGradients {
  std::vector<double> layers, learning, memorization;
};

// Both on a log axis, their ratio on the second axis; `norms` is what the figure is of, in words.
Figure gradients_over_depth(const std::string& name, const std::string& title, const std::string& norms,
                            const DepthGradients& gradients);

// Without figures when no run measured gradients. `prefix` starts the figures' names.
FigureGroup gradient_figures(const Unit& unit, const std::string& prefix);

}  // namespace normscope
