// Finds the controls that a recipe asked for and holds them against the removed runs.
#include "reports/controls.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "core/text.h"
#include "reports/unit_settings.h"
#include "reports/words.h"

namespace normscope {
namespace {

constexpr double kMemorizationMargin = 5, kAccuracyMargin = 2;  // points

// What makes `other`'s intact runs a control of `unit`, in words; "" when they are none.
std::string control_words(const Unit& unit, const Unit& other) {
  if (&unit == &other) return "";
  const auto own = settings_of(unit), theirs = settings_of(other);
  auto keys = differing_keys(own, theirs);
  const bool is_stopped = value_of(theirs, "training.stop_when") == "\"validation_loss\"" &&
                          value_of(own, "training.stop_when") != "\"validation_loss\"";
  if (is_stopped) keys.erase("training.min_epochs");
  if (keys.size() != 1) return "";
  const std::string key = *keys.begin();
  if (key == "training.stop_when") return is_stopped ? "intact, stopped by validation loss" : "";
  if (key == "model.dropout")
    return "intact, dropout " + (theirs.contains(key) ? value_of(theirs, key) : "of the checkpoint");
  const bool is_slower = key == "training.learning_rate" && std::strtod(value_of(theirs, key).c_str(), nullptr) <
                                                                std::strtod(value_of(own, key).c_str(), nullptr);
  return is_slower ? "intact, learning rate " + value_of(theirs, key) : "";
}

const RunView* finished_with_seed(const std::vector<const RunView*>& runs, int64_t seed) {
  for (const auto* run : runs)
    if (run->run.seed == seed && run->run.state == RunState::Done) return run;
  return nullptr;
}

std::optional<ControlVerdict> judge_control(const Unit& unit, const std::string& selection, const std::string& words,
                                            const std::vector<const RunView*>& control_runs) {
  ControlVerdict verdict;
  verdict.unit = unit.title;
  verdict.norm_selection = selection;
  verdict.control = words;
  std::vector<double> memorization, accuracy, fit, removed_fit, more_memorized, more_accurate;
  for (const auto* removed : unit.with(selection)) {
    if (removed->run.state != RunState::Done) continue;
    const auto* control = finished_with_seed(control_runs, removed->run.seed);
    if (!control) continue;
    const auto last = static_cast<double>(std::min(control->last().epoch, removed->last().epoch));
    const auto read = interpolate(control->epochs, last);
    const auto& end = removed->last();
    if (std::isnan(read.memorization) || std::isnan(end.memorization)) continue;
    memorization.push_back(read.memorization);
    accuracy.push_back(read.test_accuracy);
    fit.push_back(read.train_clean_accuracy);
    removed_fit.push_back(end.train_clean_accuracy);
    more_memorized.push_back(read.memorization - end.memorization);
    more_accurate.push_back(read.test_accuracy - end.test_accuracy);
    const int64_t rows = removed->run.facts.noisy_rows;
    verdict.noisy_rows = verdict.noisy_rows == 0 ? rows : std::min(verdict.noisy_rows, rows);
  }
  if (memorization.empty()) return std::nullopt;
  verdict.seeds = static_cast<int64_t>(memorization.size());
  verdict.memorization = mean(memorization);
  verdict.accuracy = mean(accuracy);
  verdict.fit = mean(fit);
  verdict.removed_fit = mean(removed_fit);
  verdict.more_memorized = mean(more_memorized);
  verdict.more_accurate = mean(more_accurate);
  verdict.more_memorized_90 = t_interval(more_memorized, 1 - 2 * kLevel);
  verdict.more_accurate_90 = t_interval(more_accurate, 1 - 2 * kLevel);
  verdict.has_enough = verdict.seeds >= kFewestSeeds && verdict.noisy_rows >= kFewestNoisyRows;
  verdict.is_reached = verdict.has_enough && verdict.more_memorized_90.high < kMemorizationMargin &&
                       verdict.more_accurate_90.low > -kAccuracyMargin;
  return verdict;
}

// Also where the clean training accuracy was not measured, so that there is no matched point to fail at.
bool holds_at_matched_fit(const std::vector<ClaimVerdict>& verdicts, const ClaimVerdict& equal) {
  for (const auto& verdict : verdicts)
    if (verdict.point == Point::MatchedFit && verdict.claim.id == equal.claim.id && verdict.unit == equal.unit &&
        verdict.norm_selection == equal.norm_selection)
      return verdict.verdict == Verdict::Supported;
  return true;
}

bool is_removal_of_all(const std::string& selection) { return selection == "all" || selection == "paper:all"; }

bool has_removal_of_all(const Unit& unit) {
  const auto selections = unit.selections();
  return std::any_of(selections.begin(), selections.end(), is_removal_of_all);
}

}  // namespace

std::vector<ControlVerdict> judge_controls(const StudyView& study) {
  std::vector<ControlVerdict> verdicts;
  const auto add = [&](std::optional<ControlVerdict> verdict) {
    if (verdict) verdicts.push_back(std::move(*verdict));
  };
  for (const auto& unit : study.units) {
    for (const auto& selection : unit.selections()) {
      if (!is_removal_of_all(selection)) continue;
      for (const char* outcome : {": reset", ": frozen"})
        add(judge_control(unit, selection, selection_words(selection + outcome), unit.with(selection + outcome)));
      for (const auto& other : study.units)
        if (const auto words = control_words(unit, other); !words.empty())
          add(judge_control(unit, selection, words, other.with("none")));
    }
  }
  return verdicts;
}

bool is_control_only(const StudyView& study, const Unit& unit) {
  if (unit.selections() != std::vector<std::string>{"none"}) return false;
  return std::any_of(study.units.begin(), study.units.end(), [&](const Unit& other) {
    return has_removal_of_all(other) && !control_words(other, unit).empty();
  });
}

std::string control_sentence(const std::vector<ClaimVerdict>& verdicts, const std::vector<ControlVerdict>& controls) {
  std::string text;
  for (const auto& claim : verdicts) {
    if (claim.claim.id != "C2b" || claim.point != Point::EqualEpochs || claim.verdict != Verdict::Supported) continue;
    std::vector<std::string> reached;
    int64_t judged = 0;
    for (const auto& control : controls) {
      if (control.unit != claim.unit || control.norm_selection != claim.norm_selection || !control.has_enough) continue;
      ++judged;
      if (control.is_reached) reached.push_back(control.control);
    }
    if (judged == 0) continue;
    text += (text.empty() ? "" : " ") + claim.unit + ": removal ";
    if (!reached.empty()) {
      text +=
          "slows learning as much as it slows memorization: the same memorization at the same test accuracy is reached "
          "by " +
          join(reached, "; ") + ".";
      continue;
    }
    const std::string none =
        "none of " + count_words(judged, "control") + " memorizes as little at the same test accuracy";
    text += holds_at_matched_fit(verdicts, claim) ? "suppresses memorization: " + none + "."
                                                  : "lowers memorization at equal epochs, and " + none +
                                                        "; at matched fit that it is lower is not shown.";
  }
  return text;
}

}  // namespace normscope
