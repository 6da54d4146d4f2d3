// What a study shows: one self-contained page, figures, tables for papers, a summary for the terminal.
#pragma once
#include <filesystem>
#include <string>

#include "reports/figures.h"
#include "reports/table.h"
#include "storage/run_store.h"

namespace normscope {

struct ReportOptions {
  std::string gnuplot = "gnuplot";  // program that draws; the page is written without figures when it is absent
  bool compare_paper = false;       // the authors' runs of the same models and data sets beside the study's
};

// One HTML file that needs no network. Throws Error(Run) when it cannot be written.
void write_report(const RunStore& store, const std::filesystem::path& html_path, const ReportOptions& options = {});

// Every figure as <name>.svg, .pdf, .png and its numbers as <name>.csv; makes the folder.
// Throws Error(Run) when gnuplot is absent or fails.
void write_figures(const RunStore& store, const std::filesystem::path& folder, const ReportOptions& options = {});

// The same of one group.
void write_figure_files(const FigureGroup& group, const std::filesystem::path& folder, const ReportOptions& options);

// Tables one after the other. Throws Error(Usage) for a format other than "markdown", "latex" or "text".
std::string tables_text(const std::vector<Table>& tables, const std::string& format);

// The page's tables. Throws Error(Usage) for a format other than "markdown", "latex" or "text".
std::string report_tables(const RunStore& store, const std::string& format, const ReportOptions& options = {});

// For the end of a run: each run's last epoch, and what came of it in a sentence or two.
std::string summary_table(const RunStore& store);

}  // namespace normscope
