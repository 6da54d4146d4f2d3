// The lines are means over seeds of weight_drift: a line a selection over depth, a line a norm over epochs.
#include "reports/drift_figures.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "reports/norm_means.h"
#include "reports/words.h"

namespace normscope {
namespace {

constexpr const char* kDriftAxis = "set ylabel '|w - w0| / |w0|'\nset yrange [0:*]\n";

struct SelectionDrift {
  std::string selection;
  NormMeans means;
  double at(const std::string& role, int64_t layer, int64_t epoch) const {
    return means.at("train", role, layer, epoch);
  }
};

struct Site {
  std::string role;
  int64_t layer;
};

// Embedding and final norms stand beside the blocks, at -1 and at the number of layers.
Figure over_depth(const std::vector<SelectionDrift>& drifts, const std::string& prefix) {
  Figure figure;
  figure.name = prefix + "drift_depth";
  figure.title = "Drift by layer at the last epoch: attention norms solid, feed-forward dashed";
  figure.alt = "Lines over layers: relative drift of the weights of attention (solid) and feed-forward (dashed) norms";
  figure.columns = {"layer"};
  int64_t layers = 0;
  bool has_outer = false;
  for (const auto& drift : drifts) {
    if (!drift.means.layers.empty()) layers = std::max(layers, *drift.means.layers.rbegin() + 1);
    has_outer |= drift.means.roles.contains("embedding") || drift.means.roles.contains("final");
  }
  for (int64_t layer = has_outer ? -1 : 0; layer < layers + (has_outer ? 1 : 0); ++layer)
    figure.rows.push_back({static_cast<double>(layer)});
  std::vector<std::string> elements;
  for (const auto& drift : drifts) {
    const std::string words = selection_words(drift.selection);
    const int64_t epoch = drift.means.last_epoch("train");
    const size_t column = figure.columns.size() + 1;
    for (const char* part : {" attention", " feed_forward", " embedding or final"})
      figure.columns.push_back(words + part);
    for (auto& row : figure.rows) {
      const auto layer = static_cast<int64_t>(row[0]);
      const bool is_inner = layer >= 0 && layer < layers;
      for (const char* role : {"attention", "feed_forward"})
        row.push_back(is_inner ? drift.at(role, layer, epoch) : kUndefined);
      row.push_back(is_inner ? kUndefined : drift.at(layer < 0 ? "embedding" : "final", kNoLayer, epoch));
    }
    const std::string colour = " lc '" + selection_colour(drift.selection) + "' ";
    elements.push_back("$data using 1:" + std::to_string(column) + " with linespoints pt 7 ps 0.4 lw 2.2 dt 1" +
                       colour + "title " + quote_gnuplot(words));
    elements.push_back("$data using 1:" + std::to_string(column + 1) + " with linespoints pt 6 ps 0.4 lw 1.4 dt (6,4)" +
                       colour + "notitle");
    if (has_outer)
      elements.push_back("$data using 1:" + std::to_string(column + 2) + " with points pt 5 ps 0.7" + colour +
                         "notitle");
  }
  figure.commands = "set xlabel 'layer'\nset xrange [" + std::string(has_outer ? "-1.3" : "-0.3") + ":" +
                    format_number(static_cast<double>(layers) - (has_outer ? -0.3 : 0.7)) + "]\n";
  if (layers <= 13) figure.commands += "set xtics 1\n";
  if (has_outer) figure.commands += "set xtics add ('emb.' -1, 'final' " + std::to_string(layers) + ")\n";
  figure.commands += kDriftAxis + ("plot " + join(elements, ", \\\n") + "\n");
  figure.height = 268 + 21 * static_cast<int>((drifts.size() + 1) / 2);
  return figure;
}

// Every norm has its line; the colour is its depth.
Figure over_epochs(const SelectionDrift& drift, const std::string& prefix) {
  const std::string words = selection_words(drift.selection);
  Figure figure;
  figure.name = prefix + "drift_epochs_" + file_part(words);
  figure.title = "Drift of every norm, " + words + ": attention solid, feed-forward dashed";
  figure.alt = "Lines over epochs, " + words + ": relative drift of every norm's weight, coloured by layer";
  figure.columns = {"epoch"};
  std::vector<Site> sites;
  std::vector<std::string> elements;
  const auto add = [&](const Site& site) {
    const bool is_known = std::ranges::any_of(
        drift.means.epochs, [&](int64_t epoch) { return !std::isnan(drift.at(site.role, site.layer, epoch)); });
    if (!is_known) return;
    sites.push_back(site);
    figure.columns.push_back(site.role + (site.layer == kNoLayer ? "" : " layer " + std::to_string(site.layer)));
    std::string style = " with lines lw 1.6 dt " + std::string(site.role == "feed_forward" ? "(6,4)" : "1");
    if (site.layer != kNoLayer) {
      style += " lc palette cb " + std::to_string(site.layer) + " notitle";
    } else {
      style +=
          std::string(" lc '") + (site.role == "final" ? "#cc3311" : "#111111") + "' title '" + site.role + " norm'";
    }
    elements.push_back("$data using 1:" + std::to_string(figure.columns.size()) + style);
  };
  add({"embedding", kNoLayer});
  for (const int64_t layer : drift.means.layers)
    for (const char* role : {"attention", "feed_forward"}) add({role, layer});
  add({"final", kNoLayer});
  for (const int64_t epoch : drift.means.epochs) {
    std::vector<double> row = {static_cast<double>(epoch)};
    for (const auto& site : sites) row.push_back(drift.at(site.role, site.layer, epoch));
    figure.rows.push_back(row);
  }
  const int64_t deepest = drift.means.layers.empty() ? 1 : std::max<int64_t>(1, *drift.means.layers.rbegin());
  figure.commands = "set xlabel 'epoch'\nset palette defined (0 '#fde725', 1 '#21918c', 2 '#440154')\nset cbrange [0:" +
                    std::to_string(deepest) + "]\nset cblabel 'layer'\n" + kDriftAxis + "plot " +
                    join(elements, ", \\\n") + "\n";
  figure.height = 310;
  return figure;
}

}  // namespace

FigureGroup drift_figures(const Unit& unit, const std::string& prefix) {
  FigureGroup group{"How far the norms moved",
                    "Distance of each remaining norm's weight from where training found it, relative to its length "
                    "there: |w - w0| / |w0|, each selection at its own last epoch. Norms without a weight have none.",
                    {}};
  std::vector<SelectionDrift> drifts;
  for (const auto& selection : unit.selections()) {
    SelectionDrift drift{selection, NormMeans(unit.with(selection), "weight_drift")};
    if (drift.means.last_epoch("train") >= 0) drifts.push_back(std::move(drift));
  }
  if (drifts.empty()) return group;
  group.figures.push_back(over_depth(drifts, prefix));
  for (const auto& drift : drifts)
    if (drift.means.epochs.size() > 1) group.figures.push_back(over_epochs(drift, prefix));
  return group;
}

}  // namespace normscope
