// The report without a page: tables for papers and READMEs, the summary at a run's end.
#include "core/error.h"
#include "reports/compare_paper.h"
#include "reports/report.h"
#include "reports/result_tables.h"
#include "reports/sentences.h"

namespace normscope {

std::string tables_text(const std::vector<Table>& tables, const std::string& format) {
  require(format == "markdown" || format == "latex" || format == "text", ErrorKind::Usage,
          "--format: expected markdown, latex or text, found ", format);
  std::string text;
  for (const auto& table : tables) {
    if (!text.empty()) text += '\n';
    text += format == "markdown" ? to_markdown(table) : format == "latex" ? to_latex(table) : to_text(table);
  }
  return text;
}

std::string report_tables(const RunStore& store, const std::string& format, const ReportOptions& options) {
  const auto study = load_study(store);
  auto tables = all_tables(study);
  for (const auto& unit : study.units) {
    const auto* paper = options.compare_paper ? paper_twin(unit) : nullptr;
    if (!paper) continue;
    auto table = compare_table(unit, *paper);
    if (!table.rows.empty()) tables.push_back(std::move(table));
  }
  return tables_text(tables, format);
}

std::string summary_table(const RunStore& store) {
  const auto study = load_study(store);
  std::string text;
  for (const auto& unit : study.units) {
    auto table = final_table(unit);
    table.columns.erase(table.columns.begin() + 7);  // the bar repeats the three columns before it
    for (auto& row : table.rows) row.erase(row.begin() + 7);
    if (!table.rows.empty()) text += to_text(table) + '\n';
    for (const auto& sentence : outcome_sentences(unit)) text += sentence + '\n';
    text += '\n';
  }
  const auto verdicts = judge(study);
  for (const auto& sentence :
       {verdict_sentence(verdicts), control_sentence(verdicts, judge_controls(study)), state_sentence(study)})
    if (!sentence.empty()) text += sentence + '\n';
  for (const auto& run : study.runs)
    if (!run.run.error.empty()) text += "Run " + run.run.id + " failed: " + run.run.error + '\n';
  return text;
}

}  // namespace normscope
