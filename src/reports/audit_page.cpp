#include "reports/audit_page.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/file.h"
#include "core/text.h"
#include "reports/page.h"
#include "reports/page_parts.h"
#include "reports/table.h"
#include "reports/words.h"

namespace normscope {
namespace {

using Json = nlohmann::json;

constexpr size_t kShownRows = 20;  // in view; the others unfold

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : ""; }

std::string number_of(const Json& value, int decimals) {
  return value.is_number() ? fixed(value.get<double>(), decimals) : "–";
}

std::string content_html(const Json& row, const std::filesystem::path& folder) {
  const std::string content = escape_html(row.value("content", "")), picture = row.value("picture", "");
  if (picture.empty() || !std::filesystem::exists(folder / picture)) return content;
  return "<img class=\"noisy\" src=\"data:image/png;base64," + to_base64(read_file(folder / picture, ErrorKind::Data)) +
         "\" alt=\"" + content + "\" title=\"" + content + "\">";
}

std::string suspect_html(const Json& row, const std::filesystem::path& folder) {
  const bool knows_truth = row.contains("true_label");
  const auto cell = [](const std::string& text, const char* heading) {
    return "<td data-of=\"" + std::string(heading) + "\">" + escape_html(text) + "</td>";
  };
  return "<tr><td class=\"n\">" + std::to_string(row.at("source_row").get<int64_t>()) + "</td><td class=\"excerpt\">" +
         content_html(row, folder) + "</td>" + cell(text_of(row.at("given_label")), "given label") +
         cell(text_of(row.at("suggested_label")), "suggested label") + "<td class=\"n\">" +
         number_of(row.at("suggested_probability"), 2) + "</td><td class=\"n\">" + number_of(row.at("label_score"), 3) +
         "</td>" + (knows_truth ? cell(text_of(row.at("true_label")), "true label") : "") +
         cell(join(row.at("why").get<std::vector<std::string>>(), "; "), "why") + "</tr>\n";
}

std::string suspects_table(const Json& rows, size_t begin, size_t end, const std::filesystem::path& folder) {
  std::string html =
      "<div class=\"scroll\" tabindex=\"0\"><table class=\"noisy\"><thead><tr><th class=\"n\" scope=\"col\">row</th>"
      "<th scope=\"col\">content</th><th scope=\"col\">given label</th><th scope=\"col\">suggested label</th>"
      "<th class=\"n\" scope=\"col\">probability</th><th class=\"n\" scope=\"col\">score</th>";
  if (rows[begin].contains("true_label")) html += "<th scope=\"col\">true label</th>";
  html += "<th scope=\"col\">why</th></tr></thead><tbody>\n";
  for (size_t i = begin; i < end; ++i) html += suspect_html(rows[i], folder);
  return html + "</tbody></table></div>\n";
}

std::string suspects_html(const Json& rows, const std::filesystem::path& folder) {
  if (rows.empty()) return "";
  const size_t shown = std::min(rows.size(), kShownRows);
  std::string html = suspects_table(rows, 0, shown, folder);
  if (rows.size() > shown)
    html += "<details><summary>" + count_words(static_cast<int64_t>(rows.size() - shown), "more row") + "</summary>" +
            suspects_table(rows, shown, rows.size(), folder) + "</details>\n";
  return html;
}

Table class_table(const Json& classes) {
  Table table;
  table.title = "Suspicious labels by class";
  table.columns = {{"given label"}, {"rows", true}, {"suspicious", true}, {"share", true, "%"}};
  for (const auto& entry : classes) {
    const auto rows = entry.at("rows").get<int64_t>(), issues = entry.at("issues").get<int64_t>();
    table.add({{text_of(entry.at("class"))},
               {grouped(rows)},
               {grouped(issues)},
               {rows > 0 ? fixed(100 * static_cast<double>(issues) / static_cast<double>(rows)) : "–"}});
  }
  return table;
}

Table confusion_table(const Json& audit) {
  Table table;
  table.title = "What they may be instead";
  const auto classes = audit.at("classes").get<std::vector<std::string>>();
  const auto counts = audit.at("confusion").get<std::vector<std::vector<int64_t>>>();
  constexpr size_t kPairs = 20;
  std::vector<std::tuple<int64_t, std::string, std::string>> pairs;
  for (size_t g = 0; g < counts.size(); ++g)
    for (size_t t = 0; t < counts[g].size(); ++t)
      if (counts[g][t] > 0) pairs.emplace_back(-counts[g][t], classes.at(g), classes.at(t));
  std::ranges::sort(pairs);
  table.columns = {{"given label"}, {"suggested label"}, {"rows", true}};
  for (size_t i = 0; i < std::min(pairs.size(), kPairs); ++i) {
    const auto& [count, given, suggested] = pairs[i];
    table.add({{given}, {suggested}, {grouped(-count)}});
  }
  if (pairs.size() > kPairs) table.note = "The " + std::to_string(kPairs) + " most frequent pairs.";
  return table;
}

std::string parse(const Json& audit, const std::filesystem::path& folder) {
  std::string html = "<p>" +
                     escape_html(grouped(audit.at("issues").get<int64_t>()) + " of " +
                                 count_words(audit.at("rows").get<int64_t>(), "training row") +
                                 " have a suspicious label: " + text_of(audit.at("method")) + ".") +
                     "</p>\n";
  for (const auto& warning : audit.at("warnings"))
    html += "<p class=\"caution\">" + escape_html(text_of(warning)) + "</p>\n";
  html += suspects_html(audit.at("suspects"), folder);
  if (audit.at("issues") > 0) html += to_html(class_table(audit.at("by_class"))) + to_html(confusion_table(audit));
  if (audit.contains("detection")) html += to_html(detection_table(audit.at("detection")));
  return html;
}

}  // namespace

Table detection_table(const Json& detection) {
  Table table;
  table.title = "Against the truth: " + count_words(detection.at("wrong_labels").get<int64_t>(), "wrong label");
  table.columns = {
      {"signal"}, {"AUROC", true}, {"AUPRC", true}, {"precision at n", true, "%"}, {"missed at n", true, "%"}};
  for (const auto& signal : detection.at("signals"))
    table.add({{text_of(signal.at("signal"))},
               {number_of(signal.at("auroc"), 3)},
               {number_of(signal.at("auprc"), 3)},
               {number_of(signal.at("precision_at_n"), 1)},
               {number_of(signal.at("miss_rate"), 1)}});
  table.note = "n: as many rows as there are wrong labels.";
  return table;
}

std::string audit_html(const std::filesystem::path& audit_json) {
  const auto bytes = read_file(audit_json, ErrorKind::Data);
  try {
    return parse(Json::parse(bytes), audit_json.parent_path());
  } catch (const nlohmann::json::exception& failure) {
    throw Error(ErrorKind::Data, audit_json.string() + ": is no audit that can be read (" + failure.what() + ")");
  } catch (const std::out_of_range&) {
    throw Error(ErrorKind::Data, audit_json.string() + ": is no audit that can be read (a class is missing)");
  }
}

}  // namespace normscope
