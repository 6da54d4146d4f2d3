// Writes the authors' logs as a page, as figures' files, as tables.
#include "reports/paper_report.h"

#include "core/error.h"
#include "core/file.h"
#include "reports/norm_means.h"
#include "reports/page_parts.h"
#include "reports/paper_figures.h"
#include "reports/paper_tables.h"

namespace normscope {
namespace {

std::string lead() {
  std::string html = "<div class=\"lead\">\n";
  for (const auto& sentence : paper_sentences()) html += paragraph(sentence);
  return html + "</div>\n";
}

// Says once that figures are missing where gnuplot is.
struct Drawer {
  std::string gnuplot;
  bool has_gnuplot = true;

  std::string draw(const FigureGroup& group) {
    return has_gnuplot ? group_html(group, gnuplot, has_gnuplot) : std::string();
  }
};

std::string units(Drawer& drawer) {
  std::string html, links;
  const auto id_of = [](const PaperUnit& unit) { return "unit-" + file_part(unit.title()); };
  for (const auto& unit : paper_logs().units)
    links += "<a href=\"#" + id_of(unit) + "\">" + escape_html(unit.title()) + "</a>\n";
  html = "<nav>\n" + links + "</nav>\n";
  for (const auto& unit : paper_logs().units) {
    html += "<h3 id=\"" + id_of(unit) + "\">" + escape_html(unit.title()) + "</h3>\n";
    if (!unit.is_published()) html += paragraph("Logged, but not in the paper.", "note");
    html += to_html(paper_unit_table(unit));
    for (const auto& group : paper_unit_figures(unit)) html += drawer.draw(group);
  }
  return html;
}

}  // namespace

void write_paper_report(const std::filesystem::path& html_path, const ReportOptions& options) {
  Drawer drawer{options.gnuplot};
  const std::string placements = drawer.draw(paper_placements_figures()) + to_html(paper_placements_table());
  std::vector<PagePart> parts = {{"placements", "Pre-LN against Post-LN", placements},
                                 {"facts", "What is known to be wrong", to_html(paper_facts_table())},
                                 {"gradients", "Gradients", to_html(paper_gradients_table())},
                                 {"models", "Every model", units(drawer)}};
  std::string top = lead();
  if (!drawer.has_gnuplot)
    top +=
        paragraph("The figures need gnuplot, which is not installed here; every number is in the tables.", "caution");
  write_file_atomically(
      html_path,
      page_shell(
          "The paper's runs, as its authors logged them",
          "Impact of Layer Norm on Memorization and Generalization in Transformers (Singhal and Kim, NeurIPS 2025, "
          "arXiv 2511.10566). Parsed from the authors' log files; nothing here was trained by normscope.",
          top, parts, "Written by normscope report --paper; nothing on this page needs a network."));
}

void write_paper_figures(const std::filesystem::path& folder, const ReportOptions& options) {
  write_figure_files(paper_placements_figures(), folder, options);
  for (const auto& unit : paper_logs().units)
    for (const auto& group : paper_unit_figures(unit)) write_figure_files(group, folder, options);
}

std::string paper_report_tables(const std::string& format) { return tables_text(paper_tables(), format); }

}  // namespace normscope
