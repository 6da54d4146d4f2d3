// A study beside the authors' logs of the same model on the same data set.
#pragma once
#include <string>

#include "reports/figures.h"
#include "reports/paper_logs.h"
#include "reports/table.h"

namespace normscope {

// The authors' unit that a study's unit repeats: the same data set (the preparation's name) and the same model
// (architecture, number of blocks and, where it is stored, hidden size; without a stored architecture, the checkpoint's
// name). Null when there is none.
const PaperUnit* paper_twin(const Unit& unit);

// "all" of "all" and "paper:all", "none" of "none"; "" where the authors logged nothing like it.
std::string paper_selection(const PaperUnit& paper, const std::string& norm_selection);

// Both at the paper's epoch, if the study went that far, and at equal epochs: the last epoch of the shorter runs.
Table compare_table(const Unit& unit, const PaperUnit& paper);

// The study's curves solid, the authors' dashed; gradients over depth where they were measured.
FigureGroup compare_figures(const Unit& unit, const PaperUnit& paper, const std::string& prefix);

}  // namespace normscope
