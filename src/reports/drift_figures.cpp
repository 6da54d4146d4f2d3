#include "reports/drift_figures.h"

#include "reports/norm_lines.h"

namespace normscope {

FigureGroup drift_figures(const Unit& unit, const std::string& prefix) {
  FigureGroup group{"How far the norms moved",
                    "Distance of each remaining norm's weight from where training found it, relative to its length "
                    "there: |w - w0| / |w0|, each selection at its own last epoch. Norms without a weight have none.",
                    {}};
  const NormLineStyle style{prefix + "drift", "Drift", "relative drift of the weights",
                            "set ylabel '|w - w0| / |w0|'\nset yrange [0:*]\n"};
  std::vector<NormLine> lines;
  for (const auto& selection : unit.selections()) {
    NormLine line{selection, "train", NormMeans(unit.with(selection), "weight_drift")};
    if (line.last_epoch() >= 0) lines.push_back(std::move(line));
  }
  if (lines.empty()) return group;
  group.figures.push_back(norm_lines_over_depth(lines, style));
  for (const auto& line : lines)
    if (line.means.epochs.size() > 1) group.figures.push_back(norm_lines_over_epochs(line, style));
  return group;
}

}  // namespace normscope
