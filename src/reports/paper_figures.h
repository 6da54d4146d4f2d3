// The authors' logs as figures.
#pragma once
#include <vector>

#include "reports/figures.h"
#include "reports/paper_logs.h"

namespace normscope {

// All models with all norms removed, memorization at the published epoch, at 40 and at 70.
FigureGroup paper_placements_figures();

// Curves over epochs, and gradients over depth and epochs of one model on one data set.
std::vector<FigureGroup> paper_unit_figures(const PaperUnit& unit);

}  // namespace normscope
