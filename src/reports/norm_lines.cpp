#include "reports/norm_lines.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "reports/words.h"

namespace normscope {
namespace {

struct Site {
  std::string role;
  int64_t layer;
};

}  // namespace

Figure norm_lines_over_depth(const std::vector<NormLine>& lines, const NormLineStyle& style) {
  Figure figure;
  figure.name = style.name + "_depth";
  figure.title = style.subject + " by layer at the last epoch: attention norms solid, feed-forward dashed";
  figure.alt = "Lines over layers: " + style.long_subject + " of attention (solid) and feed-forward (dashed) norms";
  figure.columns = {"layer"};
  int64_t layers = 0;
  bool has_outer = false;
  for (const auto& line : lines) {
    if (!line.means.layers.empty()) layers = std::max(layers, *line.means.layers.rbegin() + 1);
    has_outer |= line.means.roles.contains("embedding") || line.means.roles.contains("final");
  }
  for (int64_t layer = has_outer ? -1 : 0; layer < layers + (has_outer ? 1 : 0); ++layer)
    figure.rows.push_back({static_cast<double>(layer)});
  std::vector<std::string> elements;
  for (const auto& line : lines) {
    const std::string words = selection_words(line.selection);
    const int64_t epoch = line.last_epoch();
    const size_t column = figure.columns.size() + 1;
    for (const char* part : {" attention", " feed_forward", " embedding or final"})
      figure.columns.push_back(words + part);
    for (auto& row : figure.rows) {
      const auto layer = static_cast<int64_t>(row[0]);
      const bool is_inner = layer >= 0 && layer < layers;
      for (const char* role : {"attention", "feed_forward"})
        row.push_back(is_inner ? line.at(role, layer, epoch) : kUndefined);
      row.push_back(is_inner ? kUndefined : line.at(layer < 0 ? "embedding" : "final", kNoLayer, epoch));
    }
    const std::string colour = " lc '" + selection_colour(line.selection) + "' ";
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
  figure.commands += style.axis + "plot " + join(elements, ", \\\n") + "\n";
  figure.height = 268 + 21 * static_cast<int>((lines.size() + 1) / 2);
  return figure;
}

Figure norm_lines_over_epochs(const NormLine& line, const NormLineStyle& style) {
  const std::string words = selection_words(line.selection);
  Figure figure;
  figure.name = style.name + "_epochs_" + file_part(words);
  figure.title = style.subject + " of every norm, " + words + ": attention solid, feed-forward dashed";
  figure.alt = "Lines over epochs, " + words + ": " + style.long_subject + " of every norm, coloured by layer";
  figure.columns = {"epoch"};
  std::vector<Site> sites;
  std::vector<std::string> elements;
  const auto add = [&](const Site& site) {
    const bool is_known = std::ranges::any_of(
        line.means.epochs, [&](int64_t epoch) { return !std::isnan(line.at(site.role, site.layer, epoch)); });
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
  for (const int64_t layer : line.means.layers)
    for (const char* role : {"attention", "feed_forward"}) add({role, layer});
  add({"final", kNoLayer});
  for (const int64_t epoch : line.means.epochs) {
    std::vector<double> row = {static_cast<double>(epoch)};
    for (const auto& site : sites) row.push_back(line.at(site.role, site.layer, epoch));
    figure.rows.push_back(row);
  }
  const int64_t deepest = line.means.layers.empty() ? 1 : std::max<int64_t>(1, *line.means.layers.rbegin());
  figure.commands = "set xlabel 'epoch'\nset palette defined (0 '#fde725', 1 '#21918c', 2 '#440154')\nset cbrange [0:" +
                    std::to_string(deepest) + "]\nset cblabel 'layer'\n" + style.axis + "plot " +
                    join(elements, ", \\\n") + "\n";
  figure.height = 310;
  return figure;
}

}  // namespace normscope
