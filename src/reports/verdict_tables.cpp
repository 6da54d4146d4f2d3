// Tables of verdicts: claims, table 1, controls.
#include <cmath>
#include <tuple>

#include "reports/result_tables.h"
#include "reports/words.h"

namespace normscope {
namespace {

using Member = double EpochMetrics::*;

void append(std::vector<Cell>& row, std::vector<Cell> cells) { row.insert(row.end(), cells.begin(), cells.end()); }

const ClaimVerdict* find_matched(const std::vector<ClaimVerdict>& verdicts, const ClaimVerdict& equal) {
  for (const auto& verdict : verdicts)
    if (verdict.point == Point::MatchedFit && verdict.claim.id == equal.claim.id && verdict.unit == equal.unit &&
        verdict.norm_selection == equal.norm_selection && verdict.claim.quantity == equal.claim.quantity)
      return &verdict;
  return nullptr;
}

const char* chip_of(Verdict verdict) {
  return verdict == Verdict::Supported ? "supported" : verdict == Verdict::Contradicted ? "contradicted" : "undecided";
}

std::string effect_text(double value, EffectUnit unit) {
  switch (unit) {
    case EffectUnit::Points:
      return with_sign(value);
    case EffectUnit::Ratio:
      return fixed(value, 2);
    case EffectUnit::Correlation:
      return with_sign(value, 2);
    case EffectUnit::Percent:
      return fixed(value);
  }
  return "";
}

// The verdict and its effect. Without one: the clean training accuracy was not measured, or the claim is not of pairs.
std::vector<Cell> verdict_cells(const ClaimVerdict* verdict, bool is_paired) {
  if (!verdict) return {{"–", is_paired ? "not measured" : "of single runs"}, {"–"}};
  const auto& finding = verdict->finding;
  const auto unit = verdict->claim.unit;
  const int decimals = unit == EffectUnit::Ratio || unit == EffectUnit::Correlation ? 2 : 1;
  Cell effect{effect_text(finding.effect, unit)};
  if (!std::isnan(finding.interval.low)) {
    effect.detail = in_brackets(finding.interval, decimals) + "\nbootstrap " + in_brackets(finding.bootstrap, decimals);
    if (!std::isnan(finding.rows_and_seeds.low)) effect.detail += "\nrows too " + in_brackets(finding.rows_and_seeds);
    if (!std::isnan(verdict->p_holm)) effect.detail += "\np " + p_words(verdict->p_holm);
  }
  return {{to_text(verdict->verdict), finding.note, chip_of(verdict->verdict)}, effect};
}

}  // namespace

Table verdict_table(const std::vector<ClaimVerdict>& verdicts) {
  Table table{"",
              {{"claim"},
               {"of"},
               {"at equal epochs"},
               {"effect", true},
               {"at matched fit"},
               {"effect", true},
               {"seeds", true},
               {"noisy rows", true}},
              {}};
  for (const auto& verdict : verdicts) {
    if (verdict.point != Point::EqualEpochs) continue;
    std::vector<Cell> row = {{verdict.claim.id + ": " + verdict.claim.text, "(" + verdict.claim.quantity + ")"},
                             {verdict.unit, selection_words(verdict.norm_selection)}};
    append(row, verdict_cells(&verdict, true));
    append(row, verdict_cells(find_matched(verdicts, verdict), verdict.claim.is_paired));
    append(row, {{std::to_string(verdict.seeds)}, {grouped(verdict.noisy_rows)}});
    table.add(row);
  }
  table.note =
      "A verdict needs at least " + std::to_string(kFewestSeeds) + " seeds and, for percentages of noisy rows, " +
      std::to_string(kFewestNoisyRows) +
      " noisy rows. Effects are removed minus intact in points unless the claim says what else: mean over seeds, 95 % "
      "interval (Student's t), bootstrap interval over seeds, for percentages of noisy rows another that draws the "
      "rows of each seed too, p after Holm's correction over all verdicts of this report; level 0.05. Gradients are "
      "read at the last epoch that measured them.";
  return table;
}

Table placement_table(const StudyView& study, const std::vector<ClaimVerdict>& verdicts) {
  Table table{"Pre-LN against Post-LN: what removing all norms changes",
              {{"model and data"},
               {"placement"},
               {"learning", true, "points"},
               {"verdict"},
               {"memorization", true, "points"},
               {"verdict"},
               {"recovery", true, "points"},
               {"verdict"},
               {"seeds", true}},
              {}};
  for (const char* placement : {"post_norm", "pre_norm"}) {
    for (const auto& unit : study.units) {
      for (const char* selection : {"all", "paper:all"}) {
        const auto pairs = find_pairs(unit, selection);
        if (unit.placement != placement || pairs.empty()) continue;
        std::vector<Cell> row = {{unit.title}, {placement_words(unit.placement)}};
        const std::tuple<Member, const char*, const char*> quantities[] = {{&EpochMetrics::test_accuracy, "C1", "C2"},
                                                                           {&EpochMetrics::memorization, "C1b", "C2b"},
                                                                           {&EpochMetrics::recovery, "", "C2c"}};
        for (const auto& [member, pre_claim, post_claim] : quantities) {
          std::vector<double> changes;
          for (const auto& pair : pairs) {
            const auto reading = read_pair(pair, Point::EqualEpochs);
            if (const double change = reading.removed.*member - reading.intact.*member; !std::isnan(change))
              changes.push_back(change);
          }
          row.push_back({with_sign(mean(changes)), in_brackets(t_interval(changes))});
          const std::string id = unit.placement == "pre_norm" ? pre_claim : post_claim;
          Cell cell{"–"};
          for (const auto& verdict : verdicts)
            if (verdict.claim.id == id && verdict.unit == unit.title && verdict.norm_selection == selection &&
                verdict.point == Point::EqualEpochs)
              cell = {id + " " + to_text(verdict.verdict), "", chip_of(verdict.verdict)};
          row.push_back(cell);
        }
        row.push_back({std::to_string(pairs.size())});
        table.add(row);
      }
    }
  }
  table.note =
      "The paper's table 1, of these runs: removed minus intact at equal epochs, mean over seeds and 95 % interval "
      "(Student's t). The claims are spelled out below.";
  return table;
}

Table control_table(const std::vector<ControlVerdict>& controls) {
  Table table{"Controls",
              {{"of"},
               {"control"},
               {"memorization", true, "%"},
               {"learning", true, "%"},
               {"clean train accuracy", true, "%, control / removed"},
               {"more memorized than removed", true, "points"},
               {"more accurate than removed", true, "points"},
               {"reaches it"},
               {"seeds", true},
               {"noisy rows", true}},
              {}};
  for (const auto& control : controls) {
    const char* word = !control.has_enough ? "too few" : control.is_reached ? "yes" : "not shown";
    table.add({{control.unit, selection_words(control.norm_selection)},
               {control.control},
               {fixed(control.memorization)},
               {fixed(control.accuracy)},
               {fixed(control.fit) + " / " + fixed(control.removed_fit)},
               {with_sign(control.more_memorized), in_brackets(control.more_memorized_90)},
               {with_sign(control.more_accurate), in_brackets(control.more_accurate_90)},
               {word, "", control.is_reached ? "contradicted" : "undecided"},
               {std::to_string(control.seeds)},
               {grouped(control.noisy_rows)}});
  }
  table.note =
      "Runs that keep the norms' parameters, or their freedom to learn, and are slowed in another way. A control "
      "reaches the "
      "removal when it memorizes at most 5 points more and is at most 2 points less accurate; in brackets 90 % "
      "intervals "
      "over seeds, whose ends are the two one-sided tests at level 0.05. A control that does so takes back the "
      "sentence that "
      "removal suppresses memorization.";
  return table;
}

}  // namespace normscope
