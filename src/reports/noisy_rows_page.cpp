// Draws each noisy row's history as a strip of coloured cells, one an epoch.
#include "reports/noisy_rows_page.h"

#include <algorithm>
#include <map>

#include "core/file.h"
#include "reports/page_parts.h"
#include "reports/table.h"
#include "reports/words.h"

namespace normscope {
namespace {

constexpr size_t kShownRows = 12;  // in view; the others unfold
constexpr size_t kMostRows = 200;  // on the page; the database has all
constexpr size_t kMostSeeds = 3;

char outcome_of(const StoredNoisyRow& row, const std::string& predicted) {
  return predicted.empty() ? ' ' : predicted == row.given_label ? 'm' : predicted == row.true_label ? 'r' : 'o';
}

const char* outcome_word(char outcome) {
  return outcome == 'm' ? "memorized" : outcome == 'r' ? "recovered" : outcome == 'o' ? "other" : "unknown";
}

// Runs of equal outcomes as [first, last] positions.
std::vector<std::pair<size_t, size_t>> spans(const std::vector<char>& outcomes) {
  std::vector<std::pair<size_t, size_t>> list;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (i == 0 || outcomes[i] != outcomes[i - 1]) list.push_back({i, i});
    list.back().second = i;
  }
  return list;
}

std::string strip(const std::vector<int64_t>& epochs, const std::vector<char>& outcomes) {
  const std::string count = std::to_string(outcomes.size());
  std::string svg = "<svg class=\"strip\" viewBox=\"0 0 " + count +
                    " 1\" preserveAspectRatio=\"none\" role=\"img\"><title>" + outcome_story(epochs, outcomes) +
                    "</title>";
  for (const auto& [first, last] : spans(outcomes))
    svg += std::string("<rect class=\"") + outcomes[first] + "\" x=\"" + std::to_string(first) + "\" width=\"" +
           std::to_string(last - first + 1) + "\" height=\"1\"/>";
  return svg + "</svg>";
}

std::string run_cell(const RunView& run, const StoredNoisyRow& row, size_t position) {
  std::vector<int64_t> epochs;
  std::vector<char> outcomes;
  for (const auto& epoch : run.predictions) {
    epochs.push_back(epoch.epoch);
    outcomes.push_back(outcome_of(row, epoch.labels[position]));
  }
  const std::string cell =
      "<td class=\"history\" data-of=\"" + escape_html(selection_words(run.run.norm_selection)) + "\">";
  if (outcomes.empty()) return cell + "–</td>";
  return cell + strip(epochs, outcomes) + "<small>" + escape_html(run.predictions.back().labels[position]) +
         "</small></td>";
}

// The picture itself where its small copy is beside the results, else the first words of the text.
std::string content_cell(const RunView& run, const StoredNoisyRow& row) {
  const auto file = run.noisy_pictures / (std::to_string(row.row) + ".png");
  if (run.noisy_pictures.empty() || !std::filesystem::exists(file))
    return "<td class=\"excerpt\">" + escape_html(row.excerpt) + "</td>";
  const std::string name = escape_html(row.excerpt);
  return "<td class=\"excerpt\"><img class=\"noisy\" src=\"data:image/png;base64," +
         to_base64(read_file(file, ErrorKind::Data)) + "\" alt=\"" + name + "\" title=\"" + name + "\"></td>";
}

std::string rows_html(const std::vector<const RunView*>& runs, size_t begin, size_t end) {
  std::string html;
  for (size_t i = begin; i < end; ++i) {
    const auto& row = runs[0]->noisy_rows[i];
    html += "<tr><td class=\"n\">" + std::to_string(row.source_row) + "</td>" + content_cell(*runs[0], row) +
            "<td data-of=\"given label\">" + escape_html(row.given_label) + "</td><td data-of=\"true label\">" +
            escape_html(row.true_label) + "</td>";
    for (const auto* run : runs) html += run_cell(*run, row, i);
    html += "</tr>\n";
  }
  return html;
}

std::string table_html(const std::vector<const RunView*>& runs, const std::string& body) {
  std::string html =
      "<div class=\"scroll\" tabindex=\"0\"><table class=\"noisy\"><thead><tr><th class=\"n\" "
      "scope=\"col\">row</th>"
      "<th scope=\"col\">" +
      std::string(runs[0]->noisy_pictures.empty() ? "text" : "picture") +
      "</th><th scope=\"col\">given label</th><th scope=\"col\">true label</th>";
  for (const auto* run : runs)
    html += "<th scope=\"col\">" + escape_html(selection_words(run->run.norm_selection)) + "</th>";
  return html + "</tr></thead><tbody>\n" + body + "</tbody></table></div>\n";
}

bool has_same_rows(const RunView& a, const RunView& b) {
  return std::equal(a.noisy_rows.begin(), a.noisy_rows.end(), b.noisy_rows.begin(), b.noisy_rows.end(),
                    [](const auto& x, const auto& y) { return x.row == y.row && x.given_label == y.given_label; });
}

}  // namespace

std::string outcome_story(const std::vector<int64_t>& epochs, const std::vector<char>& outcomes) {
  std::string story;
  for (const auto& [first, last] : spans(outcomes)) {
    if (!story.empty()) story += ", ";
    story += std::string(outcome_word(outcomes[first])) + " " + std::to_string(epochs[first]);
    if (last > first) story += "–" + std::to_string(epochs[last]);
  }
  return story;
}

std::string noisy_rows_html(const Unit& unit) {
  std::map<int64_t, std::vector<const RunView*>> by_seed;
  for (const auto& selection : unit.selections())
    for (const auto* run : unit.with(selection)) {
      auto& runs = by_seed[run->run.seed];
      const bool fits = runs.empty() || has_same_rows(*runs[0], *run);
      if (!run->noisy_rows.empty() && !run->predictions.empty() && fits) runs.push_back(run);
    }
  std::erase_if(by_seed, [](const auto& item) { return item.second.empty(); });
  if (by_seed.empty()) return "";
  std::string html =
      "<p>Each strip runs from the first epoch (left) to the last: <span class=\"key memorized\"></span> "
      "memorized, "
      "the false label is repeated; <span class=\"key recovered\"></span> recovered, the true label is said; "
      "<span class=\"key other\"></span> another label. Under it: what the model says at the end.</p>\n";
  size_t shown_seeds = 0;
  for (const auto& [seed, runs] : by_seed) {
    if (++shown_seeds > kMostSeeds) break;
    const size_t count = runs[0]->noisy_rows.size();
    const size_t shown = std::min(count, kShownRows), most = std::min(count, kMostRows);
    const std::string title =
        "Seed " + std::to_string(seed) + ", " + count_words(static_cast<int64_t>(count), "noisy row");
    std::string tables = table_html(runs, rows_html(runs, 0, shown));
    if (most > shown)
      tables += "<details><summary>" + count_words(static_cast<int64_t>(most - shown), "more row") + "</summary>" +
                table_html(runs, rows_html(runs, shown, most)) + "</details>\n";
    if (count > most)
      tables += "<p class=\"note\">" + grouped(static_cast<int64_t>(count - most)) +
                " more are in the database (view noisy_outcomes).</p>\n";
    html += shown_seeds == 1 ? "<h4>" + title + "</h4>\n" + tables
                             : "<details><summary>" + title + "</summary>" + tables + "</details>\n";
  }
  if (by_seed.size() > kMostSeeds)
    html += "<p class=\"note\">The other seeds are in the database (view noisy_outcomes).</p>\n";
  return html;
}

}  // namespace normscope
