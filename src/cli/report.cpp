// normscope report
#include "reports/report.h"

#include <iostream>

#include "cli/commands.h"
#include "core/error.h"

namespace normscope {

std::function<int()> add_report(CLI::App& app) {
  struct Arguments {
    std::string folder, html, figures, format = "html";
  };
  auto a = std::make_shared<Arguments>();
  app.add_option("folder", a->folder, "The study's output folder")->required();
  app.add_option("--html", a->html, "Report to write (default: report.html in the folder)");
  app.add_option("--figures", a->figures, "Also write every figure as SVG, PDF, PNG and CSV here");
  app.add_option("--format", a->format, "html, or markdown or latex tables on standard output")
      ->check(CLI::IsMember({"html", "markdown", "latex"}));
  return [a] {
    const std::filesystem::path folder(a->folder);
    const auto store = RunStore::open_read_only(folder / "normscope.db");
    if (!a->figures.empty()) write_figures(store, a->figures);
    if (a->format != "html") {
      std::cout << report_tables(store, a->format);
      return 0;
    }
    const auto html = a->html.empty() ? folder / "report.html" : std::filesystem::path(a->html);
    write_report(store, html);
    std::cout << html.string() << '\n';
    return 0;
  };
}

}  // namespace normscope
