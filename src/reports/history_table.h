// When each set of rows was learned and how often it was forgotten, means over seeds.
#pragma once
#include "reports/study_view.h"
#include "reports/table.h"

namespace normscope {

// No rows when no run kept the course of its rows (measure.dynamics).
Table history_table(const Unit& unit);

}  // namespace normscope
