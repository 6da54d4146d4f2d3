// How fast each run memorizes, how long it recovers, and what it has memorized once it fits.
#pragma once
#include "reports/study_view.h"
#include "reports/table.h"

namespace normscope {

// No rows when no run has noisy rows.
Table memorization_table(const Unit& unit);

}  // namespace normscope
