// Writes the page and the figures' files.
#include "reports/report.h"

#include "core/file.h"
#include "reports/compare_paper.h"
#include "reports/figures.h"
#include "reports/measurement_page.h"
#include "reports/page.h"
#include "reports/study_figures.h"

namespace normscope {

void write_report(const RunStore& store, const std::filesystem::path& html_path, const ReportOptions& options) {
  write_file_atomically(html_path, page_html(load_study(store), options));
}

void write_figure_files(const FigureGroup& group, const std::filesystem::path& folder, const ReportOptions& options) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  require(!failure, ErrorKind::Run, folder.string(), ": cannot be made: ", failure.message());
  const std::pair<Drawing, const char*> formats[] = {
      {Drawing::Svg, ".svg"}, {Drawing::Pdf, ".pdf"}, {Drawing::Png, ".png"}};
  for (const auto& figure : group.figures) {
    for (const auto& [format, end] : formats) {
      const auto picture = draw(figure, format, options.gnuplot);
      require(picture.has_value(), ErrorKind::Run, "figures need ", options.gnuplot,
              ", which is not installed here (Debian: apt-get install gnuplot-nox)");
      write_file_atomically(folder / (figure.name + end), *picture);
    }
    write_file_atomically(folder / (figure.name + ".csv"), figure_csv(figure));
  }
}

void write_figures(const RunStore& store, const std::filesystem::path& folder, const ReportOptions& options) {
  const auto study = load_study(store);
  write_figure_files(study_figures(study), folder, options);
  for (const auto& [run, measurement] : read_measurements(study))
    write_figure_files(measurement.bounds, folder, options);
  for (size_t i = 0; i < study.units.size(); ++i) {
    const auto& unit = study.units[i];
    for (const auto& group : unit_figures(unit, i)) write_figure_files(group, folder, options);
    const auto* paper = options.compare_paper ? paper_twin(unit) : nullptr;
    if (paper) write_figure_files(compare_figures(unit, *paper, figure_prefix(unit, i)), folder, options);
  }
}

}  // namespace normscope
