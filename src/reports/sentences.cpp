// Writes the report's sentences from the numbers.
#include "reports/sentences.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "reports/words.h"

namespace normscope {
namespace {

struct MeanReading {
  double intact = 0, removed = 0;
  size_t seeds = 0;
};

MeanReading mean_reading(const std::vector<Pair>& pairs, Point point, double EpochMetrics::*member) {
  std::vector<double> intact, removed;
  for (const auto& pair : pairs) {
    const auto reading = read_pair(pair, point);
    if (std::isnan(reading.intact.*member) || std::isnan(reading.removed.*member)) continue;
    intact.push_back(reading.intact.*member);
    removed.push_back(reading.removed.*member);
  }
  return {mean(intact), mean(removed), intact.size()};
}

std::string went(const std::string& what, const MeanReading& reading) {
  return what + " went from " + fixed(reading.intact) + " % to " + fixed(reading.removed) + " % (" +
         with_sign(reading.removed - reading.intact) + " points)";
}

std::string at_point(const std::vector<Pair>& pairs, Point point) {
  std::vector<std::string> parts;
  const auto learning = mean_reading(pairs, point, &EpochMetrics::test_accuracy);
  const auto memorization = mean_reading(pairs, point, &EpochMetrics::memorization);
  const auto recovery = mean_reading(pairs, point, &EpochMetrics::recovery);
  if (learning.seeds > 0) parts.push_back(went("test accuracy", learning));
  if (memorization.seeds > 0) parts.push_back(went("memorization of the false labels", memorization));
  if (recovery.seeds > 0) parts.push_back(went("recovery of the true labels", recovery));
  return join(parts, ", ");
}

std::string subject(const std::string& selection) {
  if (selection == "all") return "Without the scale and shift of any norm";
  if (selection == "blocks") return "Without the scale and shift of the norms in the blocks";
  if (selection == "early" || selection == "middle" || selection == "later")
    return "Without the scale and shift of the norms in the " + selection + " layers";
  return "With " + selection_words(selection);
}

std::string caution(const Unit& unit, size_t seeds) {
  const int64_t rows = unit.runs[0]->run.facts.noisy_rows;
  std::string text;
  if (seeds == 1) {
    text =
        "This is one seed: it shows what happened once and decides nothing. Repeat it with at least three "
        "seeds.";
  } else if (seeds < static_cast<size_t>(kFewestSeeds)) {
    text = "Two seeds are too few for a verdict; three are the least.";
  }
  if (rows > 0 && rows < kFewestNoisyRows) {
    text += std::string(text.empty() ? "" : " ") + "With " + count_words(rows, "noisy row") +
            ", one row is " + fixed(100.0 / static_cast<double>(rows)) +
            " points: percentages of noisy rows decide nothing below " + std::to_string(kFewestNoisyRows) +
            " rows.";
  }
  return text;
}

// A matched fit far from the removed run's end says that removal slowed learning.
std::string speed_sentence(const std::vector<Pair>& pairs) {
  std::vector<double> intact, removed;
  for (const auto& pair : pairs) {
    const auto reading = read_pair(pair, Point::MatchedFit);
    if (!reading.is_defined) continue;
    intact.push_back(reading.intact_epoch);
    removed.push_back(reading.removed_epoch);
  }
  if (intact.empty())
    return "The clean training accuracy was not measured, so the runs cannot be matched by fit.";
  return "At matched fit (epoch " + fixed(mean(intact)) + " intact, " + fixed(mean(removed)) + " removed), " +
         at_point(pairs, Point::MatchedFit) + ".";
}

}  // namespace

std::string asked_sentence(const Unit& unit) {
  const RunView* known = unit.runs[0];
  for (const auto* run : unit.runs)
    if (run->run.facts.train_rows > 0) known = run;
  const auto& facts = known->run.facts;
  std::string text =
      unit.title + (unit.placement.empty() ? "" : " (" + placement_words(unit.placement) + ")") + ": ";
  if (facts.train_rows > 0) text += grouped(facts.train_rows) + " training rows, ";
  if (facts.noisy_rows > 0) {
    text += grouped(facts.noisy_rows) + " of them with a label that was made false";
    if (!facts.noisy_class.empty()) text += " (true class " + facts.noisy_class + ")";
    text += ", ";
  } else if (facts.train_rows > 0) {
    text += "no label noise, ";
  }
  std::vector<std::string> selections;
  for (const auto& selection : unit.selections()) selections.push_back(selection_words(selection));
  int64_t epochs = 0;
  for (const auto* run : unit.runs) epochs = std::max(epochs, run->run.epochs);
  return text + count_words(epochs, "epoch") + ", " +
         count_words(static_cast<int64_t>(unit.seeds().size()), "seed") + "; norms " +
         join(selections, ", ") + ".";
}

std::vector<std::string> outcome_sentences(const Unit& unit) {
  std::vector<std::string> sentences;
  size_t most_seeds = 0;
  bool all_done = true;
  for (const auto& selection : unit.selections()) {
    const auto pairs = find_pairs(unit, selection);
    if (pairs.empty()) continue;
    for (const auto& pair : pairs)
      all_done =
          all_done && pair.intact->run.state == RunState::Done && pair.removed->run.state == RunState::Done;
    most_seeds = std::max(most_seeds, pairs.size());
    const std::string mean_note =
        pairs.size() > 1 ? " (means over " + count_words(static_cast<int64_t>(pairs.size()), "seed") + ")"
                         : "";
    const std::string outcome = at_point(pairs, Point::EqualEpochs);
    if (outcome.empty()) continue;
    sentences.push_back(subject(selection) + ", at equal epochs" + mean_note + ", " + outcome + ". " +
                        speed_sentence(pairs));
  }
  if (sentences.empty()) {
    for (const auto& selection : unit.selections())
      for (const auto* run : unit.with(selection))
        sentences.push_back("Run " + run->run.id + " (" + selection_words(selection) + ") ended at " +
                            fixed(run->last().test_accuracy) + " % test accuracy" +
                            (std::isnan(run->last().memorization)
                                 ? "."
                                 : " and " + fixed(run->last().memorization) + " % memorization."));
    if (!sentences.empty())
      sentences.push_back(
          "No run has an intact twin with the same model, data and seed, so nothing is compared.");
    return sentences;
  }
  if (!all_done) sentences.push_back("Not every run is done: these numbers will change.");
  const std::string warning = caution(unit, most_seeds);
  if (!warning.empty()) sentences.push_back(warning);
  return sentences;
}

std::string verdict_sentence(const std::vector<ClaimVerdict>& verdicts) {
  if (verdicts.empty()) return "";
  size_t counts[4] = {};
  for (const auto& verdict : verdicts) ++counts[static_cast<int>(verdict.verdict)];
  if (counts[3] == verdicts.size())
    return "None of the paper's claims is decided by these runs: too few seeds or noisy rows.";
  std::string text = "Of " + count_words(static_cast<int64_t>(verdicts.size()), "verdict") +
                     " on the paper's claims, " + std::to_string(counts[0]) + " supported, " +
                     std::to_string(counts[1]) + " contradicted, " + std::to_string(counts[2] + counts[3]) +
                     " undecided.";
  for (const auto& verdict : verdicts)
    if (verdict.claim.id == "C2b" && verdict.verdict == Verdict::Supported)
      return text +
             " Removal also slows learning; only controls (a lower learning rate, early stopping) tell "
             "whether "
             "it does more than that.";
  return text;
}

std::string state_sentence(const StudyView& study) {
  int64_t counts[4] = {};
  for (const auto& run : study.runs) ++counts[static_cast<int>(run.run.state)];
  const auto total = static_cast<int64_t>(study.runs.size());
  const int64_t done = counts[static_cast<int>(RunState::Done)];
  if (done == total) return "";
  std::string text = std::to_string(done) + " of " + count_words(total, "run") + " done";
  for (const auto state : {RunState::Running, RunState::Waiting, RunState::Failed})
    if (counts[static_cast<int>(state)] > 0)
      text += ", " + std::to_string(counts[static_cast<int>(state)]) + " " + to_text(state);
  return text + ".";
}

}  // namespace normscope
