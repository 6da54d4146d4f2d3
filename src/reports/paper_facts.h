// What a reader of the study's figures must know: unequal epochs, single seeds, faults of the scripts.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reports/paper_logs.h"

namespace normscope {

// A fault of the authors' scripts or logs. Source: study.md 8, verified there.
struct PaperFact {
  std::string_view id;  // study.md's
  std::string_view what;
  std::string_view touches;  // "training" or "gradients": which figures
  // Where it holds, words separated by blanks; "" everywhere. Checkpoints are PaperModel::model_type.
  std::string_view datasets, model_types, selections, placement;
};

const std::vector<PaperFact>& paper_facts();

// Those that touch one unit's training with one selection, or its gradients; facts that touch everything are left out
// unless `with_general`.
std::vector<const PaperFact*> facts_of(const PaperUnit& unit, const std::string& norm_selection,
                                       std::string_view touches, bool with_general = false);

// The marks of one published contrast (a selection beside intact): what the logs themselves show, then the ids of
// facts.
std::vector<std::string> contrast_marks(const PaperUnit& unit, const std::string& norm_selection);

}  // namespace normscope
