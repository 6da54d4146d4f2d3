// Confident learning: which labels are wrong, judged by the class probabilities of a classifier.
// Source: Northcutt, Jiang, Chuang 2021, "Confident Learning: Estimating Uncertainty in Dataset Labels"; the results
// are those of cleanlab 2.9, whose names the tables below use. Probabilities should be out of sample.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measurements/probabilities.h"

namespace normscope {

// Labels are classes 0 to num_classes - 1, one a row, at least one row and two classes.
using CountMatrix = std::vector<std::vector<int64_t>>;  // [given label][true label], rows
using RateMatrix = std::vector<std::vector<double>>;    // 0-1

struct ConfidentJoint {
  std::vector<double> thresholds;     // of each class: its mean probability in the rows labelled so; 2 without any
  CountMatrix confident;              // rows that are above a threshold; the diagonal is at least 1
  CountMatrix calibrated;             // scaled to the labels' counts, whole numbers
  std::vector<int64_t> off_diagonal;  // rows counted as another class than theirs, ascending
};
ConfidentJoint confident_joint(std::span<const int> labels, const Probabilities& probabilities);

// What the calibrated joint says of the noise.
struct LatentNoise {
  std::vector<double> prior;  // p(true label)
  RateMatrix noise;           // [given][true]: p(given label | true label); columns sum to 1
  RateMatrix inverse_noise;   // [true][given]: p(true label | given label); columns sum to 1
};
LatentNoise estimate_latent_noise(const ConfidentJoint& joint, std::span<const int> labels);

// One number a row, 0-1; low where the label is likely to be wrong.
struct LabelScore {
  std::string_view name, summary;
  std::vector<double> (*score)(std::span<const int> labels, const Probabilities& probabilities);
};
std::span<const LabelScore> label_scores();

// A rule that says which labels are issues.
struct IssueFilter {
  std::string_view name, summary;
  std::vector<bool> (*find)(std::span<const int> labels, const Probabilities& probabilities,
                            const ConfidentJoint& joint);
};
std::span<const IssueFilter> issue_filters();

// Throw Error(Usage) with the known names and the nearest.
const LabelScore& find_label_score(const std::string& name);
const IssueFilter& find_issue_filter(const std::string& name);

// The issues' rows, the lowest score first; equal scores by row.
std::vector<int64_t> ranked_issues(const std::vector<bool>& is_issue, std::span<const double> scores);

}  // namespace normscope
