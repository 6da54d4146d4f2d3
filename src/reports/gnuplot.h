// One figure: numbers and gnuplot commands in, a drawing out.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace normscope {

struct Figure {
  std::string name;   // file name without its end
  std::string title;  // what a reader sees above it
  std::string alt;    // what it shows, for those who cannot see it
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;  // NaN: missing
  std::string commands;                   // plot the block $data; columns count from 1
  int width = 440, height = 330;          // points of a screen
};

enum class Drawing { Svg, Pdf, Png };

// The picture's bytes; nothing when there is no such program. Throws Error(Run) with gnuplot's own words when
// it fails.
std::optional<std::string> draw(const Figure& figure, Drawing format, const std::string& program);

std::string figure_csv(const Figure& figure);

// Text inside gnuplot's single quotes, on one line.
std::string quote_gnuplot(const std::string& text);

}  // namespace normscope
