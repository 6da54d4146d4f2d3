// The study's words and number formats, the same in every table, figure and sentence.
#pragma once
#include <string>
#include <string_view>

#include "core/statistics.h"

namespace normscope {

// "intact", "all removed", "early removed", "layers 0-3 removed", ...
std::string selection_words(const std::string& norm_selection);

// "Pre-LN", "Post-LN", or the word itself.
std::string placement_words(const std::string& placement);

// Fixed decimals with a true minus sign; an en dash where the value is not defined.
std::string fixed(double value, int decimals = 1);
std::string with_sign(double value, int decimals = 1);                // +1.5, −0.2, 0.0
std::string in_brackets(const Interval& interval, int decimals = 1);  // "[−1.2, 3.4]", "" when not defined
std::string p_words(double p);                                        // "0.012", "< 0.001"
std::string count_words(int64_t count, std::string_view singular);    // "1 seed", "3 seeds"
std::string grouped(int64_t count);                                   // 16,000

// Colours as #rrggbb, distinct for the colour-blind. Source: Okabe & Ito 2008, and P. Tol's muted set.
std::string selection_colour(const std::string& norm_selection);
inline constexpr const char* kMemorizedColour = "#882255";
inline constexpr const char* kRecoveredColour = "#44aa99";
inline constexpr const char* kLearningColour = "#0072b2";
inline constexpr const char* kOtherColour = "#ddcc77";

}  // namespace normscope
