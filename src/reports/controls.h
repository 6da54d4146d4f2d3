// Controls of a removal: does something simpler than removing norms reach the same memorization at the same accuracy?
#pragma once
#include <string>
#include <vector>

#include "reports/verdicts.h"

namespace normscope {

// One control beside one removal, by seed. Reached: the control memorizes at most 5 points more and its test accuracy
// is at most 2 points lower, each by a one-sided t-test at level 0.05 (the 90 % interval lies on the right side). Both
// runs are read at their last epoch, the control no later than the removed run. Not corrected for the number of
// controls: what is corrected is the claim that they may take back.
struct ControlVerdict {
  std::string unit, norm_selection;  // the removal's
  std::string control;               // in words
  int64_t seeds = 0, noisy_rows = 0;
  double memorization = kUndefined, accuracy = kUndefined;  // of the control, mean over seeds, %
  double fit = kUndefined, removed_fit = kUndefined;        // clean training accuracy of both, %; NaN: not measured
  double more_memorized = kUndefined, more_accurate = kUndefined;  // control - removed, points
  Interval more_memorized_90, more_accurate_90;
  bool has_enough = false;  // seeds and noisy rows for a verdict
  bool is_reached = false;
};

// Of every unit and every removal of all norms. Controls: norms reset or frozen; intact runs of units that differ in
// nothing but a lower learning rate, stopping by validation loss, or dropout.
std::vector<ControlVerdict> judge_controls(const StudyView& study);

// A unit whose runs are only there as controls of another one.
bool is_control_only(const StudyView& study, const Unit& unit);

// What the controls make of a supported C2b; "" when nothing is suppressed or the recipe asked for no control.
std::string control_sentence(const std::vector<ClaimVerdict>& verdicts, const std::vector<ControlVerdict>& controls);

}  // namespace normscope
