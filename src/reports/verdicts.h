// The paper's claims made decidable: a table of rules, each applied to every unit that it speaks of.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/statistics.h"
#include "reports/pairs.h"

namespace normscope {

enum class Verdict { Supported, Contradicted, Undecided, TooFew };
const char* to_text(Verdict verdict);  // TooFew: "undecided (too few)"

inline constexpr int kFewestSeeds = 3;
inline constexpr int64_t kFewestNoisyRows = 25;
inline constexpr double kLevel = 0.05;

// What a rule concludes from one value a seed (mostly removed - intact, points), before Holm.
struct Finding {
  Verdict verdict = Verdict::Undecided;
  double effect = kUndefined;                       // mean, in the claim's unit
  Interval interval;                                // 95 %, Student's t
  Interval bootstrap;                               // 95 %, of the mean
  Interval rows_and_seeds{kUndefined, kUndefined};  // 95 %, of noisy rows within seeds; NaN for other quantities
  double p = kUndefined;  // of the test that decided, else of the test that would have supported; NaN: no test
  std::string note;
};

// Points of percent; times (1: equal); a correlation; percent of change, of a share.
enum class EffectUnit { Points, Ratio, Correlation, Percent };

struct Claim {
  std::string id, text;
  std::string placement;          // "pre_norm", "post_norm" or "" for both
  std::string quantity;           // what the effect is of, in words
  bool needs_noisy_rows = false;  // speaks of a percentage of noisy rows
  EffectUnit unit = EffectUnit::Points;
  bool is_paired = true;  // false: speaks of single runs at their last measured epoch, so no point is matched
};

struct ClaimVerdict {
  Claim claim;
  std::string unit, norm_selection;  // title, and which removal
  Point point = Point::EqualEpochs;
  Finding finding;
  double p_holm = kUndefined;
  Verdict verdict = Verdict::Undecided;  // after Holm
  int64_t seeds = 0, noisy_rows = 0;
};

// Finished runs only. Every claim of every unit at both points, Holm over all of them. A contradiction that no test
// makes (C4b) has no p and is no part of Holm's correction.
std::vector<ClaimVerdict> judge(const StudyView& study);

// The rules, on differences by seed. Source: thresholds of the study's claims C1, C1b, C2, C2b, C2c.
Finding judge_learning_disrupted(std::span<const double> test_accuracy);
Finding judge_memorization_kept(std::span<const double> memorization);
Finding judge_learning_kept(std::span<const double> test_accuracy);
Finding judge_memorization_suppressed(std::span<const double> memorization);
Finding judge_labels_recovered(std::span<const double> recovery);

// C3. Each step is |change after early| - |after middle| and |after middle| - |after later|, by seed.
Finding judge_early_matters_most(std::span<const std::vector<double>> steps);

// C4, C4b. By norm: log(learning / memorization) of the gradient, of kappa, by seed. The effect is a ratio.
Finding judge_learning_exceeds(std::span<const std::vector<double>> log_ratios);
Finding judge_more_than_loss(std::span<const std::vector<double>> log_ratios);

// C5. Spearman's correlation of layer and gradient norm, by seed.
Finding judge_falls_with_depth(std::span<const double> correlations);
// C5b. The first block's share of all gradient norms, %, by seed.
Finding judge_first_block(std::span<const double> shares);
// C6. log(removed / intact) of the remaining norms, mean over norms, by seed. The effect is a change in percent.
Finding judge_compensation(std::span<const double> log_ratios);
// C7. Effect of removal in the Pre-LN network minus that in its Post-LN twin, by seed.
Finding judge_placement_contrast(std::span<const double> differences);

// Claims of gradients and drift of one unit (C4 to C6), before Holm.
void judge_norms(const Unit& unit, std::vector<ClaimVerdict>& verdicts);

// What judging needs of any claim: finished pairs of one removal, the least seeds and rows.
std::vector<Pair> finished_pairs(const Unit& unit, const std::string& selection);
int64_t fewest_noisy_rows(const std::vector<Pair>& pairs);
void apply_minimum(ClaimVerdict& verdict);

}  // namespace normscope
