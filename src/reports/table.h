// One table of results, written for a page, a terminal, a paper or a README.
#pragma once
#include <string>
#include <vector>

namespace normscope {

// The share of noisy rows by outcome, 0-100, drawn as a bar on the page.
struct OutcomeShares {
  double memorized = 0, recovered = 0, other = 0;
};

struct Cell {
  std::string text;
  std::string detail = {};  // an interval or a remark, set smaller; lines by \n
  std::string kind = {};    // a style of the page: "supported", "contradicted", "undecided", "colour:#rrggbb"
  std::vector<OutcomeShares> bar = {};  // none or one; the page draws it in place of the text
};

struct Column {
  std::string name;
  bool is_number = false;
  std::string unit = {};
  bool is_long = false;  // sentences: the page keeps the column wide
};

struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  std::string note = {};  // under the table

  void add(std::vector<Cell> row) { rows.push_back(std::move(row)); }
};

std::string to_text(const Table& table);      // aligned columns, 7-bit rules
std::string to_markdown(const Table& table);  // GitHub's tables
std::string to_latex(const Table& table);     // needs \usepackage{booktabs}
std::string to_html(const Table& table);      // sortable by the page's script

// Code points of UTF-8 text: what a column's width counts.
size_t text_width(const std::string& text);

std::string escape_html(const std::string& text);   // also for attributes in double quotes
std::string escape_latex(const std::string& text);  // −, –, ±, ∞ as LaTeX says them

}  // namespace normscope
