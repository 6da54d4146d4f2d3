// Each selection of norms at the learning rate that serves it best on validation rows, so that an ablated model is not
// judged at the intact model's setting.
#pragma once
#include "reports/study_view.h"
#include "reports/table.h"

namespace normscope {

// Of units that differ in training.learning_rate alone and have validation rows; without rows where there are none.
// Chosen: the highest validation accuracy after the last epoch, mean over seeds; of equals the lowest rate.
Table chosen_rates_table(const StudyView& study);

}  // namespace normscope
