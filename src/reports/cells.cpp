#include "reports/cells.h"

#include <cmath>
#include <cstdio>

#include "reports/words.h"

namespace normscope {

std::string scientific(double value) {
  if (std::isnan(value)) return "–";
  char text[32];
  std::snprintf(text, sizeof text, "%.2e", value);
  return text;
}

Cell selection_cell(const std::string& norm_selection) {
  return {selection_words(norm_selection), "", "colour:" + selection_colour(norm_selection)};
}

Cell mean_cell(const std::vector<double>& values, bool is_change) {
  Cell cell{is_change ? with_sign(mean(values)) : fixed(mean(values))};
  if (values.size() > 1) cell.detail = "± " + fixed(sample_deviation(values));
  return cell;
}

}  // namespace normscope
