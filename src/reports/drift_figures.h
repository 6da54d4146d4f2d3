// How far the norms that remain have moved, over depth and over epochs.
#pragma once
#include <string>

#include "reports/figures.h"

namespace normscope {

// Without figures when no run kept the weight of a norm. `prefix` starts the figures' names.
FigureGroup drift_figures(const Unit& unit, const std::string& prefix);

}  // namespace normscope
