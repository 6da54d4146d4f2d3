// The report's tables, each from the same view of a study.
#pragma once
#include <vector>

#include "reports/controls.h"
#include "reports/study_view.h"
#include "reports/table.h"
#include "reports/verdicts.h"

namespace normscope {

Table final_table(const Unit& unit);                            // the last epoch of every run
Table seeds_table(const Unit& unit);                            // mean and interval over seeds; no rows below 2 seeds
Table pairs_table(const Unit& unit, Point point);               // removed runs beside their intact twins
Table paired_differences_table(const Unit& unit, Point point);  // over seeds; no rows below 2 seeds
Table verdict_table(const std::vector<ClaimVerdict>& verdicts);
// The paper's table 1: what removing all norms changes, a unit a row, Post-LN first, at equal epochs.
Table placement_table(const StudyView& study, const std::vector<ClaimVerdict>& verdicts);
Table control_table(const std::vector<ControlVerdict>& controls);
Table settings_table(const StudyView& study);  // what each unit was trained on and with

// Every table with rows, in the page's order.
std::vector<Table> all_tables(const StudyView& study);

}  // namespace normscope
