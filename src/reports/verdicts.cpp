// Applies every claim's rule to every unit, at equal epochs and at matched fit, with Holm over all of them.
#include "reports/verdicts.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "reports/row_outcomes.h"
#include "reports/words.h"

namespace normscope {
namespace {

using Member = double EpochMetrics::*;

struct RemovalClaim {
  Claim claim;
  Member member;
  Finding (*rule)(std::span<const double>);
};

const RemovalClaim kRemovalClaims[] = {
    {{"C1", "with all norms removed, learning is disrupted", "pre_norm", "test accuracy", false},
     &EpochMetrics::test_accuracy,
     judge_learning_disrupted},
    {{"C1b", "memorization is not mitigated", "pre_norm", "memorization", true},
     &EpochMetrics::memorization,
     judge_memorization_kept},
    {{"C2", "with all norms removed, learning stays", "post_norm", "test accuracy", false},
     &EpochMetrics::test_accuracy,
     judge_learning_kept},
    {{"C2b", "memorization is suppressed", "post_norm", "memorization", true},
     &EpochMetrics::memorization,
     judge_memorization_suppressed},
    {{"C2c", "true labels are recovered", "post_norm", "recovery", true},
     &EpochMetrics::recovery,
     judge_labels_recovered},
};

bool is_done(const Pair& pair) {
  return pair.intact->run.state == RunState::Done && pair.removed->run.state == RunState::Done;
}

// removed - intact of one metric; empty unless it is defined in every pair.
std::vector<double> differences(const std::vector<Pair>& pairs, Point point, Member member) {
  std::vector<double> values;
  for (const auto& pair : pairs) {
    const auto reading = read_pair(pair, point);
    const double difference = reading.removed.*member - reading.intact.*member;
    if (!reading.is_defined || std::isnan(difference)) return {};
    values.push_back(difference);
  }
  return values;
}

// A group a seed, for intervals of the mean change.
std::vector<std::vector<double>> changes_by_row(const std::vector<Pair>& pairs, Point point, RowOutcome outcome) {
  std::vector<std::vector<double>> groups;
  for (const auto& pair : pairs) groups.push_back(row_differences(pair, read_pair(pair, point), outcome));
  return groups;
}

void judge_removals(const Unit& unit, Point point, std::vector<ClaimVerdict>& verdicts) {
  for (const auto& selection : unit.selections()) {
    if (selection != "all" && selection != "paper:all") continue;
    const auto pairs = finished_pairs(unit, selection);
    for (const auto& [claim, member, rule] : kRemovalClaims) {
      if (claim.placement != unit.placement) continue;
      const auto values = differences(pairs, point, member);
      if (values.empty()) continue;
      ClaimVerdict verdict{claim, unit.title, selection, point, rule(values)};
      if (const auto outcome = outcome_of(member))
        verdict.finding.rows_and_seeds = rows_and_seeds(changes_by_row(pairs, point, *outcome));
      verdict.seeds = static_cast<int64_t>(values.size());
      verdict.noisy_rows = fewest_noisy_rows(pairs);
      apply_minimum(verdict);
      verdicts.push_back(verdict);
    }
  }
}

// |change| by seed of early, middle and later removal, as two steps; empty unless all three have the same
// seeds.
std::vector<std::vector<double>> depth_steps(const std::vector<std::vector<Pair>>& groups, Point point, Member member) {
  std::vector<std::vector<double>> changes;
  for (const auto& pairs : groups) changes.push_back(differences(pairs, point, member));
  std::vector<std::vector<double>> steps(2);
  for (size_t seed = 0; seed < changes[0].size(); ++seed) {
    for (size_t group = 0; group < 2; ++group) {
      if (changes[group + 1].size() != changes[0].size() ||
          groups[group + 1][seed].removed->run.seed != groups[0][seed].removed->run.seed)
        return {};
      steps[group].push_back(std::abs(changes[group][seed]) - std::abs(changes[group + 1][seed]));
    }
  }
  return steps[0].empty() ? std::vector<std::vector<double>>{} : steps;
}

void judge_depth(const Unit& unit, Point point, const std::string& prefix, std::vector<ClaimVerdict>& verdicts) {
  const bool is_pre_norm = unit.placement == "pre_norm";
  std::vector<std::vector<Pair>> groups;
  for (const char* group : {"early", "middle", "later"}) {
    auto pairs = finished_pairs(unit, prefix + group);
    std::sort(pairs.begin(), pairs.end(),
              [](const Pair& a, const Pair& b) { return a.removed->run.seed < b.removed->run.seed; });
    groups.push_back(std::move(pairs));
  }
  auto steps = depth_steps(groups, point, &EpochMetrics::overfit_gap);
  const auto others =
      depth_steps(groups, point, is_pre_norm ? &EpochMetrics::test_accuracy : &EpochMetrics::memorization);
  if (steps.empty() || others.empty()) return;
  steps.insert(steps.end(), others.begin(), others.end());
  const Claim claim = {"C3", "early norms matter most, then middle, then later", "",
                       is_pre_norm ? "change of gap and test accuracy" : "change of gap and memorization",
                       !is_pre_norm};
  ClaimVerdict verdict{claim, unit.title, prefix + "early, middle, later", point, judge_early_matters_most(steps)};
  verdict.seeds = static_cast<int64_t>(steps[0].size());
  verdict.noisy_rows = fewest_noisy_rows(groups[0]);
  apply_minimum(verdict);
  verdicts.push_back(verdict);
}

// C7 of one removal: the change in the Pre-LN network minus the change in its twin, by seed.
void judge_contrast(const Unit& pre, const Unit& post, const std::string& selection, Point point,
                    std::vector<ClaimVerdict>& verdicts) {
  const auto pre_pairs = finished_pairs(pre, selection), post_pairs = finished_pairs(post, selection);
  std::vector<Pair> ours, theirs;
  for (const auto& pair : pre_pairs)
    for (const auto& twin : post_pairs)
      if (pair.removed->run.seed == twin.removed->run.seed) {
        ours.push_back(pair);
        theirs.push_back(twin);
      }
  const std::pair<const char*, Member> quantities[] = {{"test accuracy", &EpochMetrics::test_accuracy},
                                                       {"memorization", &EpochMetrics::memorization}};
  for (const auto& [words, member] : quantities) {
    const auto changes = differences(ours, point, member), twins = differences(theirs, point, member);
    if (changes.empty() || twins.empty()) continue;
    std::vector<double> contrasts;
    for (size_t i = 0; i < changes.size(); ++i) contrasts.push_back(changes[i] - twins[i]);
    const Claim claim = {"C7", "removal acts otherwise in the Pre-LN network than in its Post-LN twin", "",
                         std::string("change of ") + words + ", Pre-LN minus Post-LN",
                         member == &EpochMetrics::memorization};
    ClaimVerdict verdict{claim, pre.title + " against " + post.title, selection, point,
                         judge_placement_contrast(contrasts)};
    verdict.seeds = static_cast<int64_t>(contrasts.size());
    verdict.noisy_rows = std::min(fewest_noisy_rows(ours), fewest_noisy_rows(theirs));
    apply_minimum(verdict);
    verdicts.push_back(verdict);
  }
}

// What makes a unit's network but for the wiring. A checkpoint that was trained here is what its own recipe says.
std::vector<std::string> unwired_lines(const Unit& unit) {
  const auto& run = unit.runs[0]->run;
  auto lines = shared_recipe_lines(run.recipe, false);
  if (const auto& pretraining = run.facts.checkpoint_recipe; !pretraining.empty()) {
    std::erase_if(lines, [](const std::string& line) { return line.starts_with("model.checkpoint "); });
    lines.push_back("pretraining:");
    for (const auto& line : shared_recipe_lines(pretraining, true)) lines.push_back(line);
  }
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("model.placement "); });
  return lines;
}

// Units that differ in their placement only: the same network wired both ways.
void judge_placements(const StudyView& study, Point point, std::vector<ClaimVerdict>& verdicts) {
  for (const auto& pre : study.units) {
    if (pre.placement != "pre_norm") continue;
    for (const auto& post : study.units) {
      if (post.placement != "post_norm" || unwired_lines(pre).empty() || unwired_lines(pre) != unwired_lines(post))
        continue;
      for (const auto& selection : pre.selections()) {
        if (selection != "all" && selection != "paper:all") continue;
        judge_contrast(pre, post, selection, point, verdicts);
      }
    }
  }
}

}  // namespace

std::vector<Pair> finished_pairs(const Unit& unit, const std::string& selection) {
  auto pairs = find_pairs(unit, selection);
  std::erase_if(pairs, [](const Pair& pair) { return !is_done(pair); });
  return pairs;
}

int64_t fewest_noisy_rows(const std::vector<Pair>& pairs) {
  int64_t fewest = 0;
  for (const auto& pair : pairs) {
    const int64_t rows = pair.removed->run.facts.noisy_rows;
    fewest = &pair == pairs.data() ? rows : std::min(fewest, rows);
  }
  return fewest;
}

void apply_minimum(ClaimVerdict& verdict) {
  const bool too_few =
      verdict.seeds < kFewestSeeds || (verdict.claim.needs_noisy_rows && verdict.noisy_rows < kFewestNoisyRows);
  if (!too_few) return;
  verdict.finding.verdict = Verdict::TooFew;
  verdict.finding.p = kUndefined;  // no test, so none that Holm counts
  verdict.finding.note.clear();
}

std::vector<ClaimVerdict> judge(const StudyView& study) {
  std::vector<ClaimVerdict> verdicts;
  for (const auto& unit : study.units) {
    for (const auto point : {Point::EqualEpochs, Point::MatchedFit}) {
      judge_removals(unit, point, verdicts);
      for (const char* prefix : {"", "paper:"}) judge_depth(unit, point, prefix, verdicts);
    }
    judge_norms(unit, verdicts);
  }
  for (const auto point : {Point::EqualEpochs, Point::MatchedFit}) judge_placements(study, point, verdicts);
  std::vector<double> p;
  for (const auto& verdict : verdicts) p.push_back(verdict.finding.p);
  const auto adjusted = holm(p);
  for (size_t i = 0; i < verdicts.size(); ++i) {
    auto& verdict = verdicts[i];
    verdict.p_holm = adjusted[i];
    verdict.verdict = verdict.finding.verdict;
    const bool is_decided = verdict.verdict == Verdict::Supported || verdict.verdict == Verdict::Contradicted;
    if (is_decided && adjusted[i] >= kLevel) {
      verdict.verdict = Verdict::Undecided;
      verdict.finding.note = "not after Holm's correction";
    }
  }
  return verdicts;
}

}  // namespace normscope
