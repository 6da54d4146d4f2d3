// The figures of a unit: curves over epochs and the comparison at the end.
#pragma once
#include <vector>

#include "reports/gnuplot.h"
#include "reports/study_view.h"

namespace normscope {

// Figures that belong together on the page.
struct FigureGroup {
  std::string title, text;
  std::vector<Figure> figures;
};

// The start of the names of a unit's figures; `index` tells units apart.
std::string figure_prefix(const Unit& unit, size_t index);

std::vector<FigureGroup> unit_figures(const Unit& unit, size_t index);

}  // namespace normscope
