// Cells, and a number format, that several tables share.
#pragma once
#include <string>
#include <vector>

#include "reports/table.h"

namespace normscope {

std::string scientific(double value);  // "1.23e-04"; an en dash where the value is not defined

Cell selection_cell(const std::string& norm_selection);                     // its words in its colour
Cell mean_cell(const std::vector<double>& values, bool is_change = false);  // with the deviation of several

}  // namespace normscope
