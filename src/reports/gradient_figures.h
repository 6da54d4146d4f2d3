// Gradient norms at the norms, over depth and over epochs.
#pragma once
#include <string>

#include "reports/figures.h"

namespace normscope {

// Without figures when no run measured gradients. `prefix` starts the figures' names.
FigureGroup gradient_figures(const Unit& unit, const std::string& prefix);

}  // namespace normscope
