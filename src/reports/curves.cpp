// Builds a figure of lines: columns mean, lowest, highest of every line by epoch, and gnuplot's commands for them.
#include "reports/curves.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "reports/words.h"

namespace normscope {
namespace {

// Adds the columns of every line; returns the plot elements.
std::string add_lines(Figure& figure, const std::vector<CurveLine>& lines) {
  figure.columns = {"epoch"};
  std::map<int64_t, std::vector<double>> rows;
  const size_t width = 1 + 3 * lines.size();
  std::vector<std::string> fills, strokes;
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto& line = lines[i];
    const auto bands = band_over_seeds(line.runs, line.member);
    for (const char* part : {"", " lowest", " highest"}) figure.columns.push_back(line.name + part);
    for (const auto& [epoch, band] : bands) {
      auto& row = rows.try_emplace(epoch, width, kUndefined).first->second;
      row[0] = static_cast<double>(epoch);
      row[1 + 3 * i] = band.mean;
      row[2 + 3 * i] = band.low;
      row[3 + 3 * i] = band.high;
    }
    if (bands.empty()) continue;
    const auto column = [&](size_t offset) { return std::to_string(2 + 3 * i + offset); };
    const std::string colour = " lc '" + line.colour + "'";
    if (line.runs.size() > 1)
      fills.push_back("$data using 1:" + column(1) + ":" + column(2) +
                      " with filledcurves fs transparent solid 0.15 noborder" + colour + " notitle");
    const std::string key = line.title.empty() ? "notitle" : "title " + quote_gnuplot(line.title);
    const bool is_point = bands.size() == 1;
    strokes.push_back("$data using 1:" + column(0) + (is_point ? " with points pt 7 ps 0.6" : " with lines ") +
                      (is_point ? "" : line.style) + colour + " " + key);
  }
  for (auto& [epoch, row] : rows) figure.rows.push_back(std::move(row));
  fills.insert(fills.end(), strokes.begin(), strokes.end());
  return join(fills, ", \\\n");
}

}  // namespace

std::map<int64_t, Band> band_over_seeds(const std::vector<const RunView*>& runs, double EpochMetrics::*member) {
  std::map<int64_t, std::vector<double>> values;
  for (const auto* run : runs)
    for (const auto& row : run->epochs)
      if (!std::isnan(row.*member)) values[row.epoch].push_back(row.*member);
  std::map<int64_t, Band> bands;
  for (const auto& [epoch, list] : values) {
    if (list.size() < runs.size()) continue;
    bands[epoch] = {mean(list), *std::min_element(list.begin(), list.end()),
                    *std::max_element(list.begin(), list.end())};
  }
  return bands;
}

std::string epoch_axis(int64_t last_epoch) {
  return "set xlabel 'epoch'\nset xrange [0:" + std::to_string(std::max<int64_t>(1, last_epoch)) + "]\n" +
         (last_epoch <= 10 ? "set xtics 1\n" : "");
}

int key_height(size_t entries) { return 21 * static_cast<int>((entries + 1) / 2); }

Figure curves(const std::vector<CurveLine>& lines, const CurveTexts& texts) {
  Figure figure{texts.name, texts.title, texts.alt, {}, {}, ""};
  const std::string elements = add_lines(figure, lines);
  int64_t last = 1;
  size_t in_key = texts.extra_entries;
  for (const auto& line : lines) {
    for (const auto* run : line.runs)
      if (!run->epochs.empty()) last = std::max(last, run->last().epoch);
    in_key += !line.title.empty();
  }
  figure.commands = epoch_axis(last) + texts.axis + "plot " + elements + texts.key_entries + "\n";
  figure.height = 268 + key_height(in_key);
  return figure;
}

std::vector<CurveLine> lines_of(const Unit& unit, const std::string& name, double EpochMetrics::*member,
                                const std::string& dashed_name, double EpochMetrics::*dashed) {
  std::vector<CurveLine> lines;
  for (const auto& selection : unit.selections()) {
    const auto runs = unit.with(selection);
    if (runs.empty()) continue;
    const std::string colour = selection_colour(selection), words = selection_words(selection);
    lines.push_back({name + " " + words, words, colour, runs, member, kSolid});
    if (dashed) lines.push_back({dashed_name + " " + words, "", colour, runs, dashed, kDashed});
  }
  return lines;
}

bool has_any(const Unit& unit, double EpochMetrics::*member) {
  for (const auto* run : unit.runs)
    for (const auto& row : run->epochs)
      if (!std::isnan(row.*member)) return true;
  return false;
}

}  // namespace normscope
