// The authors' logs alone, as a page or as tables: report --paper.
#pragma once
#include <filesystem>
#include <string>

#include "reports/report.h"

namespace normscope {

// One HTML file that needs no network. Throws Error(Run) when it cannot be written.
void write_paper_report(const std::filesystem::path& html_path, const ReportOptions& options = {});

// Every figure of that page as <name>.svg, .pdf, .png and its numbers as <name>.csv.
void write_paper_figures(const std::filesystem::path& folder, const ReportOptions& options = {});

// Throws Error(Usage) for a format other than "markdown", "latex" or "text".
std::string paper_report_tables(const std::string& format);

}  // namespace normscope
