// Paragraphs, sections, figures and the frame that every page has.
#include "reports/page_parts.h"

#include <cstdint>

#include "reports/page_style.h"
#include "reports/table.h"

namespace normscope {

std::string paragraph(const std::string& text, const char* style) {
  if (text.empty()) return "";
  return "<p" + (*style ? " class=\"" + std::string(style) + "\"" : "") + ">" + escape_html(text) + "</p>\n";
}

std::string section(const char* id, const char* title, const std::string& content) {
  return content.empty()
             ? ""
             : "<section id=\"" + std::string(id) + "\">\n<h2>" + title + "</h2>\n" + content + "</section>\n";
}

namespace {

std::string download(const std::string& file, const char* type, const std::string& bytes, const char* word) {
  return " <a download=\"" + escape_html(file) + "\" href=\"data:" + type + ";base64," + to_base64(bytes) + "\">" +
         word + "</a>";
}

// The page's script adds SVG and PNG from the picture itself, so that no picture is in the page twice.
std::string figure_html(const Figure& figure, const std::string& svg, const std::string& gnuplot) {
  std::string links = "<p class=\"downloads\" data-name=\"" + escape_html(figure.name) + "\">";
  if (const auto pdf = draw(figure, Drawing::Pdf, gnuplot))
    links += download(figure.name + ".pdf", "application/pdf", *pdf, "PDF");
  links += download(figure.name + ".csv", "text/csv", figure_csv(figure), "CSV") + "</p>";
  return "<figure><figcaption>" + escape_html(figure.title) + "</figcaption><div class=\"scroll\"><img alt=\"" +
         escape_html(figure.alt) + "\" width=\"" + std::to_string(figure.width) + "\" height=\"" +
         std::to_string(figure.height) + "\" src=\"data:image/svg+xml;base64," + to_base64(svg) + "\"></div>" + links +
         "</figure>\n";
}

}  // namespace

std::string group_html(const FigureGroup& group, const std::string& gnuplot, bool& has_gnuplot) {
  std::string figures;
  for (const auto& figure : group.figures) {
    const auto svg = draw(figure, Drawing::Svg, gnuplot);
    has_gnuplot = svg.has_value();
    if (!has_gnuplot) return "";
    figures += figure_html(figure, *svg, gnuplot);
  }
  // Small panels stand three in a row, wide ones alone, the others two.
  const int width = group.figures.empty() ? 0 : group.figures[0].width;
  const char* size = width == 0 ? "" : width < 400 ? " small" : width > 600 ? " wide" : "";
  return (group.title.empty() ? "" : "<h4>" + escape_html(group.title) + "</h4>\n") + paragraph(group.text) +
         "<div class=\"figures" + size + "\">\n" + figures + "</div>\n";
}

std::string page_shell(const std::string& title, const std::string& subtitle, const std::string& lead,
                       const std::vector<PagePart>& parts, const std::string& footer) {
  std::string body, links;
  for (const auto& part : parts) {
    body += section(part.id.c_str(), part.title.c_str(), part.html);
    if (!part.html.empty()) links += "<a href=\"#" + part.id + "\">" + part.title + "</a>\n";
  }
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         escape_html(title) + " – normscope</title>\n<style>" + kPageStyle +
         "</style>\n</head>\n<body>\n<main>\n<header>\n<h1>" + escape_html(title) + "</h1>\n<p class=\"sub\">" +
         escape_html(subtitle) + "</p>\n<nav>\n" + links + "</nav>\n</header>\n" + lead + body + "<footer>" +
         escape_html(footer) + "</footer>\n</main>\n<script>" + kPageScript + "</script>\n</body>\n</html>\n";
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
