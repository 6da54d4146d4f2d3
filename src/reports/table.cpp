// Tables as plain text, Markdown, LaTeX and HTML.
#include "reports/table.h"

#include <algorithm>

#include "core/text.h"

namespace normscope {
namespace {

std::string heading(const Column& column) {
  return column.unit.empty() ? column.name : column.name + " (" + column.unit + ")";
}

std::string plain(const Cell& cell) {
  return cell.detail.empty() ? cell.text : cell.text.empty() ? cell.detail : cell.text + " " + cell.detail;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Line breaks would end a row of text, Markdown and LaTeX.
std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return text;
}

std::string html_cell(const Cell& cell, const Column& column) {
  std::string classes = column.is_number ? "n" : column.is_long ? "long" : "";
  std::string content = escape_html(cell.text);
  if (cell.kind.starts_with("colour:")) {
    classes = "key-cell";
    content = "<i class=\"dot\" style=\"background:" + escape_html(cell.kind.substr(7)) + "\"></i>" + content;
  } else if (!cell.kind.empty()) {
    content = "<span class=\"chip " + escape_html(cell.kind) + "\">" + content + "</span>";
  }
  if (!cell.detail.empty()) content += " <small>" + replaced(escape_html(cell.detail), "\n", "<br>") + "</small>";
  for (const auto& bar : cell.bar) {
    const auto part = [](const char* name, double percent) {
      return "<i class=\"" + std::string(name) + "\" style=\"width:" + format_number(percent) + "%\"></i>";
    };
    content = "<span class=\"bar\" role=\"img\" aria-label=\"" + escape_html(plain(cell)) + "\">" +
              part("memorized", bar.memorized) + part("recovered", bar.recovered) + part("other", bar.other) +
              "</span>";
  }
  return "<td" + (classes.empty() ? "" : " class=\"" + classes + "\"") + ">" + content + "</td>";
}

}  // namespace

size_t text_width(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string to_text(const Table& table) {
  std::vector<size_t> widths;
  for (const auto& column : table.columns) widths.push_back(text_width(heading(column)));
  for (const auto& row : table.rows)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], text_width(on_one_line(plain(row[i]))));
  std::string text = table.title.empty() ? "" : table.title + "\n";
  const auto add_line = [&](const auto& cell_text) {
    std::string line;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const std::string cell = on_one_line(cell_text(i));
      const std::string padding(widths[i] - text_width(cell), ' ');
      line += (i ? "  " : "") + (table.columns[i].is_number ? padding + cell : cell + padding);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add_line([&](size_t i) { return heading(table.columns[i]); });
  add_line([&](size_t i) { return std::string(widths[i], '-'); });
  for (const auto& row : table.rows) add_line([&](size_t i) { return plain(row[i]); });
  if (!table.note.empty()) text += table.note + "\n";
  return text;
}

std::string to_markdown(const Table& table) {
  const auto cell_text = [](const std::string& text) { return replaced(on_one_line(text), "|", "\\|"); };
  std::string text = table.title.empty() ? "" : "**" + table.title + "**\n\n";
  for (const auto& column : table.columns) text += "| " + cell_text(heading(column)) + " ";
  text += "|\n";
  for (const auto& column : table.columns) text += column.is_number ? "|---:" : "|---";
  text += "|\n";
  for (const auto& row : table.rows) {
    for (const auto& cell : row) text += "| " + cell_text(plain(cell)) + " ";
    text += "|\n";
  }
  if (!table.note.empty()) text += "\n" + table.note + "\n";
  return text;
}

std::string to_latex(const Table& table) {
  std::string text = "\\begin{table}\n\\centering\n\\begin{tabular}{";
  for (const auto& column : table.columns) text += column.is_number ? 'r' : 'l';
  text += "}\n\\toprule\n";
  const auto add_row = [&](const auto& cells, const auto& cell_text) {
    for (size_t i = 0; i < cells.size(); ++i) text += (i ? " & " : "") + escape_latex(on_one_line(cell_text(cells[i])));
    text += " \\\\\n";
  };
  add_row(table.columns, heading);
  text += "\\midrule\n";
  for (const auto& row : table.rows) add_row(row, plain);
  text += "\\bottomrule\n\\end{tabular}\n\\caption{" + escape_latex(table.title);
  if (!table.note.empty()) text += (table.title.empty() ? "" : ". ") + escape_latex(table.note);
  return text + "}\n\\end{table}\n";
}

std::string to_html(const Table& table) {
  std::string html = "<figure class=\"table\">";
  if (!table.title.empty()) html += "<figcaption>" + escape_html(table.title) + "</figcaption>";
  html += "<div class=\"scroll\" tabindex=\"0\"><table class=\"sortable\"><thead><tr>";
  for (const auto& column : table.columns) {
    html +=
        std::string("<th scope=\"col\"") + (column.is_number ? " class=\"n\"" : "") + ">" + escape_html(column.name);
    if (!column.unit.empty()) html += " <small>" + escape_html(column.unit) + "</small>";
    html += "</th>";
  }
  html += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) html += html_cell(row[i], table.columns[i]);
    html += "</tr>\n";
  }
  html += "</tbody></table></div>";
  if (!table.note.empty()) html += "<p class=\"note\">" + escape_html(table.note) + "</p>";
  return html + "</figure>\n";
}

std::string escape_html(const std::string& text) {
  // A browser replaces bytes that are no UTF-8 by itself; what it must not see is markup.
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      case '\0':
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string escape_latex(const std::string& text) {
  std::string latex;
  for (const char c : text) {
    if (c == '\\') {
      latex += "\\textbackslash{}";
    } else if (c == '~' || c == '^') {
      latex += std::string("\\") + c + "{}";
    } else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) {
      latex += std::string("\\") + c;
    } else if (c == '<' || c == '>' || c == '|') {
      latex += std::string("$") + c + "$";
    } else {
      latex += c;
    }
  }
  latex = replaced(latex, "−", "$-$");
  latex = replaced(latex, "–", "--");
  latex = replaced(latex, "±", "$\\pm$");
  latex = replaced(latex, "×", "$\\times$");
  latex = replaced(latex, "·", "$\\cdot$");
  latex = replaced(latex, "→", "$\\to$");
  latex = replaced(latex, "…", "\\dots{}");
  return replaced(latex, "∞", "$\\infty$");
}

}  // namespace normscope
