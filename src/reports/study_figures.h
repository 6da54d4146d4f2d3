// Figures over all units of a study: the paper's figure 1.
#pragma once
#include "reports/figures.h"

namespace normscope {

// Test accuracy, intact beside all norms removed, and what the removed runs make of the noisy rows; a unit a place,
// Post-LN first. Equal epochs, means over seeds. Without figures when no unit has such a pair.
FigureGroup study_figures(const StudyView& study);

// One bar a selection: the overfit gap at the last epoch (the pillars of the paper's figure 3).
Figure gap_bars(const Unit& unit, const std::string& prefix);

}  // namespace normscope
