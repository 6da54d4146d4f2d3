// Gradients at the norms as training itself computed them (measure.training_gradients).
#pragma once
#include <string>

#include "reports/figures.h"

namespace normscope {

// Without figures when no run recorded them. `prefix` starts the figures' names.
FigureGroup training_gradient_figures(const Unit& unit, const std::string& prefix);

}  // namespace normscope
