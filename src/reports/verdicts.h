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

// What a rule concludes from differences by seed (removed - intact, points), before Holm.
struct Finding {
  Verdict verdict = Verdict::Undecided;
  double effect = kUndefined;  // mean difference, points
  Interval interval;           // 95 %, Student's t
  Interval bootstrap;          // 95 %, of the mean
  double p = kUndefined;       // of the test that decided, else of the test that would have supported
  std::string note;
};

struct Claim {
  std::string id, text;
  std::string placement;          // "pre_norm", "post_norm" or "" for both
  std::string quantity;           // what the effect is of, in words
  bool needs_noisy_rows = false;  // speaks of a percentage of noisy rows
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

// Finished runs only. Every claim of every unit at both points, Holm over all of them.
std::vector<ClaimVerdict> judge(const StudyView& study);

// The rules, on differences by seed. Source: thresholds of the study's claims C1, C1b, C2, C2b, C2c.
Finding judge_learning_disrupted(std::span<const double> test_accuracy);
Finding judge_memorization_kept(std::span<const double> memorization);
Finding judge_learning_kept(std::span<const double> test_accuracy);
Finding judge_memorization_suppressed(std::span<const double> memorization);
Finding judge_labels_recovered(std::span<const double> recovery);

// C3. Each step is |change after early| - |after middle| and |after middle| - |after later|, by seed.
Finding judge_early_matters_most(std::span<const std::vector<double>> steps);

}  // namespace normscope
