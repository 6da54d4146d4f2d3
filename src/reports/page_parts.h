// What pages are put together from.
#pragma once
#include <string>
#include <vector>

#include "reports/figures.h"

namespace normscope {

// Text as a paragraph with a style of the page; "" of no text.
std::string paragraph(const std::string& text, const char* style = "");

// `title` and `content` are HTML; "" of no content.
std::string section(const char* id, const char* title, const std::string& content);

// Empty when gnuplot is absent; `has_gnuplot` says so.
std::string group_html(const FigureGroup& group, const std::string& gnuplot, bool& has_gnuplot);

struct PagePart {
  std::string id, title, html;  // a part without HTML is left out
};

// One self-contained page; title, subtitle and footer are text, `lead` is HTML.
std::string page_shell(const std::string& title, const std::string& subtitle, const std::string& lead,
                       const std::vector<PagePart>& parts, const std::string& footer);

std::string to_base64(const std::string& bytes);

}  // namespace normscope
