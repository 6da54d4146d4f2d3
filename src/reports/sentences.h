// What came out, in plain sentences that claim no more than the numbers allow.
#pragma once
#include <string>
#include <vector>

#include "reports/controls.h"
#include "reports/verdicts.h"

namespace normscope {

// One sentence on what was asked of a unit: model, data, noise, norms, epochs, seeds.
std::string asked_sentence(const Unit& unit);

// What came out in three sentences: learning, memorization with what controls say of it, how sure that is. Fewer where
// nothing is judged.
std::vector<std::string> headline_sentences(const StudyView& study, const std::vector<ClaimVerdict>& verdicts,
                                            const std::vector<ControlVerdict>& controls);

// What happened in each removal, at equal epochs and at matched fit, then how far that can be trusted.
std::vector<std::string> outcome_sentences(const Unit& unit);

// Which claims the study decides; "" when the study has none to decide.
std::string verdict_sentence(const std::vector<ClaimVerdict>& verdicts);

// Waiting, running and failed runs; "" when every run is done.
std::string state_sentence(const StudyView& study);

}  // namespace normscope
