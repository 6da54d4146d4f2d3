// normscope report
#include "reports/report.h"

#include <iostream>

#include "cli/commands.h"
#include "core/error.h"
#include "reports/paper_report.h"

namespace normscope {

namespace {

struct Arguments {
  std::string folder, html, figures, format = "html";
  bool paper = false, compare_paper = false;
};

int report_paper(const Arguments& a) {
  if (!a.figures.empty()) write_paper_figures(a.figures);
  if (a.format != "html") {
    std::cout << paper_report_tables(a.format);
    return 0;
  }
  const std::filesystem::path html = a.html.empty() ? "paper.html" : a.html;
  write_paper_report(html);
  std::cout << html.string() << '\n';
  return 0;
}

int report_study(const Arguments& a) {
  const std::filesystem::path folder(a.folder);
  const auto store = RunStore::open_read_only(folder / "normscope.db");
  ReportOptions options;
  options.compare_paper = a.compare_paper;
  if (!a.figures.empty()) write_figures(store, a.figures, options);
  if (a.format != "html") {
    std::cout << report_tables(store, a.format, options);
    return 0;
  }
  const auto html = a.html.empty() ? folder / "report.html" : std::filesystem::path(a.html);
  write_report(store, html, options);
  std::cout << html.string() << '\n';
  return 0;
}

}  // namespace

std::function<int()> add_report(CLI::App& app) {
  auto a = std::make_shared<Arguments>();
  auto* folder = app.add_option("folder", a->folder, "The study's output folder");
  app.add_option("--html", a->html,
                 "Report to write (default: report.html in the folder, with --paper paper.html here)");
  app.add_option("--figures", a->figures, "Also write every figure as SVG, PDF, PNG and CSV here");
  app.add_option("--format", a->format, "html, or markdown or latex tables on standard output")
      ->check(CLI::IsMember({"html", "markdown", "latex"}));
  app.add_flag("--paper", a->paper, "No folder: what the study's authors logged, published epochs beside equal epochs")
      ->excludes(folder);
  app.add_flag("--compare-paper", a->compare_paper,
               "Beside the runs, what the authors logged of the same model on the same data set");
  return [a] {
    require(a->paper || !a->folder.empty(), ErrorKind::Usage,
            "report: expected a study's output folder, or --paper for the authors' logs alone");
    return a->paper ? report_paper(*a) : report_study(*a);
  };
}

}  // namespace normscope
