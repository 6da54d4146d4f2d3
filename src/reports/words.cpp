// The study's words and number formats.
#include "reports/words.h"

#include <cmath>
#include <cstdio>

#include "core/text.h"

namespace normscope {

std::string selection_words(const std::string& norm_selection) {
  if (norm_selection == "none") return "intact";
  if (const auto colon = norm_selection.find(": "); colon != std::string::npos) {  // another intervention's outcome
    const std::string words = selection_words(norm_selection.substr(0, colon)),
                      outcome = norm_selection.substr(colon + 2);
    return std::string(words).replace(words.find("removed"), 7, outcome);
  }
  if (norm_selection.starts_with("paper:")) return norm_selection.substr(6) + " removed (paper's policy)";
  const bool is_list = !norm_selection.empty() && norm_selection[0] >= '0' && norm_selection[0] <= '9';
  return (is_list ? "layers " : "") + norm_selection + " removed";
}

std::string placement_words(const std::string& placement) {
  return placement == "pre_norm" ? "Pre-LN" : placement == "post_norm" ? "Post-LN" : placement;
}

std::string fixed(double value, int decimals) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", decimals, std::abs(value));
  const bool is_zero = std::string_view(buffer).find_first_not_of("0.") == std::string_view::npos;
  return (value < 0 && !is_zero ? "−" : "") + std::string(buffer);
}

std::string with_sign(double value, int decimals) {
  const std::string text = fixed(value, decimals);
  const bool is_positive = value > 0 && text.find_first_not_of("0.") != std::string::npos;
  return (is_positive ? "+" : "") + text;
}

std::string in_brackets(const Interval& interval, int decimals) {
  if (std::isnan(interval.low)) return "";
  return "[" + fixed(interval.low, decimals) + ", " + fixed(interval.high, decimals) + "]";
}

std::string p_words(double p) {
  if (std::isnan(p)) return "–";
  return p < 0.001 ? "< 0.001" : fixed(p, 3);
}

std::string count_words(int64_t count, std::string_view singular) {
  return grouped(count) + " " + std::string(singular) + (count == 1 ? "" : "s");
}

std::string grouped(int64_t count) {
  std::string digits = std::to_string(count);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string selection_colour(const std::string& norm_selection) {
  const std::string name = norm_selection.starts_with("paper:") ? norm_selection.substr(6) : norm_selection;
  if (name == "none") return "#404040";
  if (name == "all") return "#d55e00";
  if (name == "early") return "#0072b2";
  if (name == "middle") return "#56b4e9";
  if (name == "later") return "#e69f00";
  if (name == "blocks") return "#cc79a7";
  constexpr const char* kOthers[] = {"#009e73", "#332288", "#999933", "#aa4499"};
  return kOthers[content_hash(name) % 4];
}

}  // namespace normscope
