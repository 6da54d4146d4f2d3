// The noisy rows one by one: text, labels, and what each run says of them after every epoch.
#pragma once
#include <string>

#include "reports/study_view.h"

namespace normscope {

// HTML, one table a seed; "" when the unit has no predictions of noisy rows.
std::string noisy_rows_html(const Unit& unit);

// "recovered 1–4, memorized 5–40": outcomes[i] belongs to epochs[i].
std::string outcome_story(const std::vector<int64_t>& epochs, const std::vector<char>& outcomes);

}  // namespace normscope
