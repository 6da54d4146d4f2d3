// One metric of the norms as lines: a selection over depth, or every norm over epochs.
#pragma once
#include <string>
#include <vector>

#include "reports/figures.h"
#include "reports/norm_means.h"

namespace normscope {

// A metric in one split, means over seeds of the runs of one selection.
struct NormLine {
  std::string selection;
  std::string split;
  NormMeans means;

  double at(const std::string& role, int64_t layer, int64_t epoch) const { return means.at(split, role, layer, epoch); }
  int64_t last_epoch() const { return means.last_epoch(split); }
};

// How a metric is drawn and spoken of.
struct NormLineStyle {
  std::string name;          // starts the figures' names
  std::string subject;       // "Drift"
  std::string long_subject;  // "relative drift of the weights"
  std::string axis;          // gnuplot commands for the value's axis
};

// Every selection at its own last epoch: attention norms solid, feed-forward dashed, embedding and final norms beside
// the blocks, at -1 and at the number of layers.
Figure norm_lines_over_depth(const std::vector<NormLine>& lines, const NormLineStyle& style);

// Every norm has its line; the colour is its depth.
Figure norm_lines_over_epochs(const NormLine& line, const NormLineStyle& style);

}  // namespace normscope
