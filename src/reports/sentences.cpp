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

// "test accuracy 91.5 % (intact 92.3 %), memorization 27.8 % (intact 100.0 %), ..."
std::string at_point(const std::vector<Pair>& pairs, Point point) {
  std::vector<std::string> parts;
  const std::pair<const char*, double EpochMetrics::*> quantities[] = {{"test accuracy", &EpochMetrics::test_accuracy},
                                                                       {"memorization", &EpochMetrics::memorization},
                                                                       {"recovery", &EpochMetrics::recovery}};
  for (const auto& [name, member] : quantities) {
    const auto reading = mean_reading(pairs, point, member);
    if (reading.seeds > 0)
      parts.push_back(std::string(name) + " " + fixed(reading.removed) + " % (intact " + fixed(reading.intact) + " %)");
  }
  return join(parts, ", ");
}

std::string subject(const std::string& selection) {
  std::string text = selection_words(selection);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

double mean_epoch(const std::vector<Pair>& pairs, Point point, double PairReading::*epoch) {
  std::vector<double> epochs;
  for (const auto& pair : pairs) {
    const auto reading = read_pair(pair, point);
    if (reading.is_defined) epochs.push_back(reading.*epoch);
  }
  return mean(epochs);
}

// What is left of a change of memorization once both runs fit the clean rows equally well.
std::string remaining_change(const std::vector<Pair>& pairs) {
  constexpr double kWorthAWord = 10;  // points
  const auto equal = mean_reading(pairs, Point::EqualEpochs, &EpochMetrics::memorization);
  const auto matched = mean_reading(pairs, Point::MatchedFit, &EpochMetrics::memorization);
  const double change = equal.removed - equal.intact, left = matched.removed - matched.intact;
  if (equal.seeds == 0 || matched.seeds == 0 || std::abs(change) < kWorthAWord) return "";
  return " Of the " + with_sign(change) + " points of memorization at equal epochs, " + with_sign(left) +
         " remain at matched fit.";
}

std::string matched_sentence(const std::vector<Pair>& pairs) {
  const double intact = mean_epoch(pairs, Point::MatchedFit, &PairReading::intact_epoch);
  if (std::isnan(intact)) return "The clean training accuracy was not measured, so the runs cannot be matched by fit.";
  return "At matched fit (epoch " + fixed(mean_epoch(pairs, Point::MatchedFit, &PairReading::removed_epoch)) +
         ", intact " + fixed(intact) + "): " + at_point(pairs, Point::MatchedFit) + "." + remaining_change(pairs);
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
    text += std::string(text.empty() ? "" : " ") + "With " + count_words(rows, "noisy row") + ", one row is " +
            fixed(100.0 / static_cast<double>(rows)) + " points: percentages of noisy rows decide nothing below " +
            std::to_string(kFewestNoisyRows) + " rows.";
  }
  return text;
}

}  // namespace

std::string asked_sentence(const Unit& unit) {
  const RunView* known = unit.runs[0];
  for (const auto* run : unit.runs)
    if (run->run.facts.train_rows > 0) known = run;
  const auto& facts = known->run.facts;
  std::string text = unit.title + (unit.placement.empty() ? "" : " (" + placement_words(unit.placement) + ")") + ": ";
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
  return text + count_words(epochs, "epoch") + ", " + count_words(static_cast<int64_t>(unit.seeds().size()), "seed") +
         "; norms " + join(selections, ", ") + ".";
}

std::vector<std::string> outcome_sentences(const Unit& unit) {
  std::vector<std::string> sentences;
  size_t most_seeds = 0;
  bool all_done = true;
  for (const auto& selection : unit.selections()) {
    const auto pairs = find_pairs(unit, selection);
    if (pairs.empty()) continue;
    for (const auto& pair : pairs)
      all_done = all_done && pair.intact->run.state == RunState::Done && pair.removed->run.state == RunState::Done;
    most_seeds = std::max(most_seeds, pairs.size());
    const std::string outcome = at_point(pairs, Point::EqualEpochs);
    if (outcome.empty()) continue;
    const std::string seeds =
        pairs.size() > 1 ? ", means over " + count_words(static_cast<int64_t>(pairs.size()), "seed") : "";
    sentences.push_back(
        subject(selection) + ": after " +
        count_words(std::llround(mean_epoch(pairs, Point::EqualEpochs, &PairReading::removed_epoch)), "epoch") + seeds +
        ", " + outcome + ". " + matched_sentence(pairs));
  }
  if (sentences.empty()) {
    for (const auto& selection : unit.selections())
      for (const auto* run : unit.with(selection))
        sentences.push_back(
            "Run " + run->run.id + " (" + selection_words(selection) + ") is at " +
            count_words(run->last().epoch, "epoch") + ": " + fixed(run->last().test_accuracy) + " % test accuracy" +
            (std::isnan(run->last().memorization) ? "."
                                                  : " and " + fixed(run->last().memorization) + " % memorization."));
    if (!sentences.empty())
      sentences.push_back(
          "No removed run has trained beside an intact twin (same model, data and seed), so nothing is "
          "compared.");
    return sentences;
  }
  if (!all_done) sentences.push_back("Not every run is done: these numbers will change.");
  const std::string warning = caution(unit, most_seeds);
  if (!warning.empty()) sentences.push_back(warning);
  return sentences;
}

namespace {

// What suppressed memorization may not be taken for.
std::string speed_caution(const std::vector<ClaimVerdict>& verdicts) {
  for (const auto& equal : verdicts) {
    if (equal.claim.id != "C2b" || equal.point != Point::EqualEpochs || equal.verdict != Verdict::Supported) continue;
    for (const auto& matched : verdicts) {
      const bool is_same = matched.claim.id == "C2b" && matched.point == Point::MatchedFit &&
                           matched.unit == equal.unit && matched.norm_selection == equal.norm_selection;
      if (!is_same || matched.verdict == Verdict::Supported) continue;
      return matched.verdict == Verdict::Contradicted
                 ? " Memorization is lower at equal epochs and no lower at matched fit: removal slows "
                   "learning as "
                   "much as it slows memorization."
                 : " Memorization is lower at equal epochs; at matched fit that is not shown.";
    }
    return " Whether removal does more than slow learning is for controls to tell (a lower learning rate, "
           "early "
           "stopping).";
  }
  return "";
}

}  // namespace

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
  return text + speed_caution(verdicts);
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
