// Assembles the page: what was asked, what came out, how sure it is, every run, every noisy row, how to
// repeat it.
#include "reports/page.h"

#include <algorithm>
#include <set>

#include "core/text.h"
#include "reports/audit_page.h"
#include "reports/figures.h"
#include "reports/memorization_table.h"
#include "reports/noisy_rows_page.h"
#include "reports/page_style.h"
#include "reports/result_tables.h"
#include "reports/sentences.h"
#include "reports/words.h"

namespace normscope {
namespace {

std::string paragraph(const std::string& text, const char* style = "") {
  if (text.empty()) return "";
  return "<p" + (*style ? " class=\"" + std::string(style) + "\"" : "") + ">" + escape_html(text) + "</p>\n";
}

std::string section(const char* id, const char* title, const std::string& content) {
  return content.empty()
             ? ""
             : "<section id=\"" + std::string(id) + "\">\n<h2>" + title + "</h2>\n" + content + "</section>\n";
}

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

std::string lead(const StudyView& study, const std::vector<ClaimVerdict>& verdicts) {
  std::string html = "<div class=\"lead\">\n";
  for (const auto& unit : study.units) {
    html += paragraph("Asked: " + asked_sentence(unit), "asked");
    for (const auto& sentence : outcome_sentences(unit)) html += outcome_html(sentence);
  }
  html += paragraph(verdict_sentence(verdicts)) + paragraph(state_sentence(study), "caution");
  return html + "</div>\n";
}

std::string results(const StudyView& study) {
  std::string html =
      "<p class=\"legend\">Learning is test accuracy. Of the training rows with a false label:"
      "<span class=\"key memorized\"></span>memorized (the false label is repeated)"
      "<span class=\"key recovered\"></span>recovered (the true label is said)"
      "<span class=\"key other\"></span>other (random prediction).</p>\n";
  bool has_rows = false;
  for (const auto& unit : study.units)
    for (const auto& table : {final_table(unit), seeds_table(unit), memorization_table(unit)})
      if (!table.rows.empty()) {
        html += to_html(table);
        has_rows = true;
      }
  return has_rows ? html : "<p>No run has finished an epoch yet.</p>\n";
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

// Empty when gnuplot is absent; `has_gnuplot` says so.
std::string group_html(const FigureGroup& group, const std::string& gnuplot, bool& has_gnuplot) {
  std::string figures;
  for (const auto& figure : group.figures) {
    const auto picture = draw(figure, Drawing::Svg, gnuplot);
    has_gnuplot = picture.has_value();
    if (!has_gnuplot) return "";
    figures += "<figure><figcaption>" + escape_html(figure.title) + "</figcaption><img alt=\"" +
               escape_html(figure.alt) + "\" width=\"" + std::to_string(figure.width) + "\" height=\"" +
               std::to_string(figure.height) + "\" src=\"data:image/svg+xml;base64," + to_base64(*picture) +
               "\"></figure>\n";
  }
  // Small panels stand three in a row, the others two.
  const bool is_small = !group.figures.empty() && group.figures[0].width < 400;
  return "<h4>" + escape_html(group.title) + "</h4>\n" + paragraph(group.text) + "<div class=\"figures" +
         (is_small ? " small" : "") + "\">\n" + figures + "</div>\n";
}

std::string figures(const StudyView& study, const ReportOptions& options) {
  std::string html;
  for (size_t i = 0; i < study.units.size(); ++i) {
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

std::string noisy_rows(const StudyView& study) {
  std::string html;
  for (const auto& unit : study.units) {
    const std::string rows = noisy_rows_html(unit);
    if (!rows.empty()) html += heading_of(study, unit) + rows;
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
  const std::string name = escape_html(study.name.empty() ? "A study" : study.name);
  struct Part {
    const char *id, *title;
    std::string html;
  };
  const Part parts[] = {
      {"results", "What came out", results(study)},
      {"figures", "Figures", figures(study, options)},
      {"pairs", "Removed beside intact", pairs(study)},
      {"claims", "The paper's claims", verdicts.empty() ? "" : to_html(verdict_table(verdicts))},
      {"noisy-rows", "The noisy rows", noisy_rows(study)},
      {"suspects", "Labels that may be wrong", suspects(study)},
      {"asked", "What was trained", to_html(untitled(settings_table(study)))},
      {"data", "About the data", data_quality(study)},
      {"failures", "Runs that failed", failures(study)},
      {"repeat", "How to repeat it", repeat(study)},
      {"words", "Words", kWords},
  };
  std::string body, links;
  for (const auto& part : parts) {
    body += section(part.id, part.title, part.html);
    if (!part.html.empty()) links += "<a href=\"#" + std::string(part.id) + "\">" + part.title + "</a>\n";
  }
  const std::string counted = count_words(static_cast<int64_t>(study.runs.size()), "run");
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         name + " – normscope</title>\n<style>" + kPageStyle + "</style>\n</head>\n<body>\n<main>\n<header>\n<h1>" +
         name +
         "</h1>\n<p class=\"sub\">What a transformer learned, memorized and recovered under label noise, "
         "with its norms intact "
         "and removed. " +
         escape_html(counted + (study.study.created.empty() ? "" : ", created " + study.study.created.substr(0, 10))) +
         ".</p>\n<nav>\n" + links + "</nav>\n</header>\n" + lead(study, verdicts) + body +
         "<footer>Written by normscope " + escape_html(study.study.normscope_version) +
         " from normscope.db; nothing on this page needs a network.</footer>\n</main>\n<script>" + kPageScript +
         "</script>\n</body>\n</html>\n";
}

std::string to_base64(const std::string& bytes) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

}  // namespace normscope
