// Assembles the page: what was asked, what came out, how sure it is, every run, every noisy row, how to
// repeat it.
#include "reports/page.h"

#include <algorithm>
#include <set>

#include "core/text.h"
#include "reports/audit_page.h"
#include "reports/chosen_rates.h"
#include "reports/compare_paper.h"
#include "reports/figures.h"
#include "reports/history_table.h"
#include "reports/measurement_page.h"
#include "reports/memorization_table.h"
#include "reports/noisy_rows_page.h"
#include "reports/page_parts.h"
#include "reports/result_tables.h"
#include "reports/sentences.h"
#include "reports/study_figures.h"
#include "reports/words.h"

namespace normscope {
namespace {

std::string heading_of(const StudyView& study, const Unit& unit) {
  return study.units.size() > 1 ? "<h3>" + escape_html(unit.title) + "</h3>\n" : "";
}

// "Subject: what came of it" with the subject in bold; what has none is a caution.
std::string outcome_html(const std::string& sentence) {
  if (sentence.starts_with("Run ")) return paragraph(sentence);
  const size_t colon = sentence.find(": ");
  if (colon == std::string::npos || sentence.substr(0, colon).find(" removed") == std::string::npos)
    return paragraph(sentence, "caution");
  return "<p><b>" + escape_html(sentence.substr(0, colon)) + "</b>" + escape_html(sentence.substr(colon)) + "</p>\n";
}

std::string lead(const StudyView& study, const std::vector<ClaimVerdict>& verdicts,
                 const std::vector<ControlVerdict>& controls) {
  std::string html = "<div class=\"lead\">\n";
  for (const auto& unit : study.units)
    if (!is_control_only(study, unit)) html += paragraph("Asked: " + asked_sentence(unit), "asked");
  for (const auto& sentence : headline_sentences(study, verdicts, controls)) html += paragraph(sentence, "headline");
  html += paragraph(state_sentence(study), "caution");
  return html + "</div>\n";
}

// What happened in each removal, and how far it can be trusted.
std::string in_numbers(const StudyView& study) {
  std::string html;
  for (const auto& unit : study.units) {
    if (is_control_only(study, unit)) continue;
    html += heading_of(study, unit);
    for (const auto& sentence : outcome_sentences(unit)) html += outcome_html(sentence);
  }
  return html;
}

std::string results(const StudyView& study) {
  std::string html =
      "<p class=\"legend\">Learning is test accuracy. Of the training rows with a false label:"
      "<span class=\"key memorized\"></span>memorized (the false label is repeated)"
      "<span class=\"key recovered\"></span>recovered (the true label is said)"
      "<span class=\"key other\"></span>other (random prediction).</p>\n";
  bool has_rows = false;
  for (const auto& unit : study.units)
    for (const auto& table : {final_table(unit), seeds_table(unit), memorization_table(unit), history_table(unit)})
      if (!table.rows.empty()) {
        html += to_html(table);
        has_rows = true;
      }
  if (const auto rates = chosen_rates_table(study); !rates.rows.empty()) html += to_html(rates);
  return has_rows ? in_numbers(study) + html : "<p>No run has finished an epoch yet.</p>\n";
}

// One seed: the runs themselves. Several: the changes over seeds, the runs unfold.
std::string pairs(const StudyView& study) {
  std::string html;
  for (const auto& unit : study.units) {
    std::string runs, changes;
    for (const auto point : {Point::EqualEpochs, Point::MatchedFit}) {
      const auto table = pairs_table(unit, point), over_seeds = paired_differences_table(unit, point);
      if (!table.rows.empty()) runs += to_html(table);
      if (!over_seeds.rows.empty()) changes += to_html(over_seeds);
    }
    if (!changes.empty()) runs = changes + "<details><summary>Every pair of runs</summary>" + runs + "</details>\n";
    if (!runs.empty()) html += heading_of(study, unit) + runs;
  }
  if (html.empty()) return "";
  return paragraph(
             "Each run with removed norms beside its intact twin: same model, data, noise, seed and "
             "settings. Removal "
             "can slow learning, so the two are read twice: after equal epochs, and at matched fit, where "
             "both fit the "
             "clean training rows equally well.") +
         html;
}

std::string figures(const StudyView& study, const ReportOptions& options) {
  std::string html;
  const auto over_models = study_figures(study);
  bool draws = true;
  if (!over_models.figures.empty()) html += group_html(over_models, options.gnuplot, draws);
  for (size_t i = 0; i < study.units.size(); ++i) {
    if (is_control_only(study, study.units[i])) continue;  // its numbers are in the table of controls
    std::string groups;
    for (const auto& group : unit_figures(study.units[i], i)) {
      bool has_gnuplot = true;
      groups += group_html(group, options.gnuplot, has_gnuplot);
      if (!has_gnuplot)
        return "<p class=\"caution\">The figures need gnuplot, which is not installed here; every number is "
               "in the "
               "tables.</p>\n";
    }
    if (groups.empty()) continue;
    html += heading_of(study, study.units[i]) + groups;
    if (study.units[i].seeds().size() > 1)
      html +=
          "<p class=\"note\">Lines and bars are means over seeds; the band and the whiskers reach from the "
          "lowest to the "
          "highest seed.</p>\n";
  }
  return html;
}

constexpr const char* kNoTwin =
    "None of these runs repeats a model and a data set that the authors logged (the preparation's name, the "
    "architecture, "
    "its number of blocks and its hidden size).";

std::string beside_paper(const StudyView& study, const ReportOptions& options) {
  if (!options.compare_paper) return "";
  std::string html;
  for (size_t i = 0; i < study.units.size(); ++i) {
    const auto& unit = study.units[i];
    const auto* paper = paper_twin(unit);
    if (!paper) continue;
    bool has_gnuplot = true;
    html += to_html(compare_table(unit, *paper)) +
            group_html(compare_figures(unit, *paper, figure_prefix(unit, i)), options.gnuplot, has_gnuplot);
  }
  return html.empty() ? paragraph(kNoTwin, "caution") : html;
}

std::string noisy_rows(const StudyView& study) {
  std::string html;
  for (const auto& unit : study.units) {
    const std::string rows = noisy_rows_html(unit);
    if (!rows.empty()) html += heading_of(study, unit) + rows;
  }
  return html;
}

std::string measurements(const StudyView& study, const ReportOptions& options) {
  std::string html;
  for (const auto& [run, measurement] : read_measurements(study)) {
    bool has_gnuplot = true;
    html += "<h3>" + escape_html(run) + "</h3>\n" + to_html(measurement.tables[0]);
    if (!measurement.bounds.figures.empty()) html += group_html(measurement.bounds, options.gnuplot, has_gnuplot);
    for (size_t i = 1; i < measurement.tables.size(); ++i) html += to_html(measurement.tables[i]);
  }
  return html;
}

std::string suspects(const StudyView& study) {
  std::string html;
  for (const auto& path : study.audits) html += audit_html(path);
  if (html.empty()) return "";
  return paragraph(
             "Rows whose label normscope audit doubts, the most suspicious first. A score near 0 is a label that the "
             "model speaks against; whether it is wrong is for people to say.") +
         html;
}

std::string data_quality(const StudyView& study) {
  std::string html;
  std::set<std::string> said;
  for (const auto& run : study.runs) {
    for (const auto* list : {&run.run.facts.data_quality, &run.run.facts.warnings})
      for (const auto& sentence : *list)
        if (said.insert(sentence).second) html += "<li>" + escape_html(sentence) + "</li>\n";
  }
  return html.empty() ? "" : "<ul>\n" + html + "</ul>\n";
}

std::string failures(const StudyView& study) {
  std::string html;
  for (const auto& run : study.runs)
    if (!run.run.error.empty()) html += "<li>" + escape_html(run.run.id + ": " + run.run.error) + "</li>\n";
  return html.empty() ? "" : "<ul>\n" + html + "</ul>\n";
}

std::string repeat(const StudyView& study) {
  const auto& facts = study.study;
  std::string html = "<dl>\n";
  const auto add = [&](const char* term, const std::string& value) {
    if (!value.empty()) html += "<dt>" + std::string(term) + "</dt><dd>" + escape_html(value) + "</dd>\n";
  };
  add("normscope", facts.normscope_version + (facts.git_state.empty() ? "" : " (" + facts.git_state + ")"));
  add("machine", facts.machine);
  add("device", facts.device);
  add("precision", facts.precision);
  add("threads", std::to_string(facts.threads));
  add("created", facts.created);
  html +=
      "</dl>\n<p>Save the recipe below as <code>recipe.toml</code> and run <code>normscope run "
      "recipe.toml</code>. With the same "
      "version, machine, device, precision and threads the numbers are the same.</p>\n";
  html += "<pre><code>" + escape_html(facts.recipe) + "</code></pre>\n";
  std::string removed;
  std::set<std::string> said;
  for (const auto& run : study.runs) {
    const auto& names = run.run.facts.removed_norms;
    if (names.empty() || !said.insert(run.run.norm_selection + join(names, " ")).second) continue;
    removed += "<li>" +
               escape_html(selection_words(run.run.norm_selection) + " (" +
                           count_words(static_cast<int64_t>(names.size()), "norm") + "): " + join(names, ", ")) +
               "</li>\n";
  }
  if (!removed.empty())
    html += "<details><summary>Which norms were removed</summary><ul>\n" + removed + "</ul></details>\n";
  for (const auto& run : study.runs) {
    if (run.run.recipe.empty()) continue;
    html += "<details><summary>Resolved recipe of run " + escape_html(run.run.id) + "</summary><pre><code>" +
            escape_html(run.run.recipe) + "</code></pre></details>\n";
  }
  return html;
}

// Under a heading that says the same.
Table untitled(Table table) {
  table.title.clear();
  return table;
}

const char* const kWords =
    "<dl><dt>norm</dt><dd>A LayerNorm or RMSNorm of the network. Removed: its learnable scale and shift are "
    "gone; it still "
    "normalises.</dd><dt>intact</dt><dd>A run that keeps all of them; the twin of every removed run.</dd>"
    "<dt>learning</dt><dd>Test accuracy: share of test rows given their label.</dd>"
    "<dt>memorization</dt><dd>Share of noisy rows given the false label they were trained with.</dd>"
    "<dt>recovery</dt><dd>Share of noisy rows given their true label, which training never showed.</dd>"
    "<dt>random prediction</dt><dd>Share of noisy rows given neither.</dd>"
    "<dt>overfit gap</dt><dd>Train accuracy (running, on the labels as given) minus test accuracy, in "
    "points.</dd>"
    "<dt>early, middle, later</dt><dd>Thirds of the network's layers.</dd>"
    "<dt>matched fit</dt><dd>The first epoch at which a run fits the clean training rows as well as its twin "
    "does.</dd></dl>\n";

}  // namespace

std::string page_html(const StudyView& study, const ReportOptions& options) {
  const auto verdicts = judge(study);
  const auto controls = judge_controls(study);
  const auto placements = placement_table(study, verdicts);
  const bool has_placements = !placements.rows.empty();
  const std::vector<PagePart> parts = {
      {"results", "What came out", results(study)},
      {"figures", "Figures", figures(study, options)},
      {"pairs", "Removed beside intact", pairs(study)},
      {"claims", "The paper's claims",
       (has_placements ? to_html(placements) : "") + (verdicts.empty() ? "" : to_html(verdict_table(verdicts))) +
           (controls.empty() ? "" : to_html(control_table(controls)))},
      {"paper", "Beside the paper", beside_paper(study, options)},
      {"noisy-rows", "The noisy rows", noisy_rows(study)},
      {"measured", "Gradients and theorems", measurements(study, options)},
      {"suspects", "Labels that may be wrong", suspects(study)},
      {"asked", "What was trained", to_html(untitled(settings_table(study)))},
      {"data", "About the data", data_quality(study)},
      {"failures", "Runs that failed", failures(study)},
      {"repeat", "How to repeat it", repeat(study)},
      {"words", "Words", kWords},
  };
  const std::string counted = count_words(static_cast<int64_t>(study.runs.size()), "run");
  return page_shell(
      study.name.empty() ? "A study" : study.name,
      "What a transformer learned, memorized and recovered under label noise, with its norms intact and removed. " +
          counted + (study.study.created.empty() ? "" : ", created " + study.study.created.substr(0, 10)) + ".",
      lead(study, verdicts, controls), parts,
      "Written by normscope " + study.study.normscope_version +
          " from normscope.db; nothing on this page needs a network.");
}

}  // namespace normscope
