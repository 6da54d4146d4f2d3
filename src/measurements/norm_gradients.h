// Gradients at the norms: one value a row of the data, and what is said of all rows together (study.md 4).
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "measurements/norm_place.h"

namespace normscope {

// One entry a row in every list that is defined for this norm; others are empty. g is the gradient of that row's own
// cross entropy, |.| the Frobenius norm over the row's tokens and features; padding takes no part.
struct NormGradients : NormPlace {
  std::vector<double> total;                // |g| at the norm's input, all that flows there
  std::vector<double> branch;               // |g| there, only what flows back through the norm
  std::vector<double> first_token;          // of `total`: the row's first token alone
  std::vector<double> last_token;           // the row's last token alone
  std::vector<double> scale_free;           // |diag(sigma) g| of `total`, sigma the norm's own of each token
  std::vector<double> branch_scale_free;    // of `branch`
  std::vector<double> gain;                 // kappa: total / |p - y|
  std::vector<double> output;               // |g| at the norm's output
  std::vector<double> weight, bias;         // |g| of w and b
  std::vector<double> feed_forward_weight;  // |g| of the first feed-forward weight, at norms of role feed_forward
  // The study's script: | mean over rows of mean over max_length tokens of abs(branch g) |, a norm of a mean.
  double paper = 0;
  // The same from its News script, which counts row s of S (from 1) s - 1 times (study.md D2).
  double news_script = 0;
};

// All norms for one set of rows with one choice of labels.
struct GradientSet {
  std::string name;            // learning, memorization, noisy_true, train_clean, random_labels
  std::vector<double> logits;  // |p - y|, the gradient at the logits
  std::vector<double> loss;    // nats
  std::vector<NormGradients> norms;
};

using GradientField = RowField<NormGradients>;
// The one list: JSON keys and database metrics follow it.
inline constexpr std::array kGradientFields = {
    GradientField{"total", &NormGradients::total},
    GradientField{"branch", &NormGradients::branch},
    GradientField{"first_token", &NormGradients::first_token},
    GradientField{"last_token", &NormGradients::last_token},
    GradientField{"scale_free", &NormGradients::scale_free},
    GradientField{"branch_scale_free", &NormGradients::branch_scale_free},
    GradientField{"gain", &NormGradients::gain},
    GradientField{"output", &NormGradients::output},
    GradientField{"weight", &NormGradients::weight},
    GradientField{"bias", &NormGradients::bias},
    GradientField{"feed_forward_weight", &NormGradients::feed_forward_weight},
};

// A mean over rows and its 95 % bootstrap interval. NaN of nothing.
struct Estimate {
  double mean = 0, low = 0, high = 0;
};
// The same seed draws the same rows for every norm, so that intervals of one set move together.
Estimate estimate_mean(std::span<const double> values, uint64_t seed);
// mean(above) / mean(below), both sides resampled.
Estimate estimate_ratio(std::span<const double> above, std::span<const double> below, uint64_t seed);

// p - y for p = softmax(logits) and y one-hot, the gradient at the logits (study.md 5.1). Relatively exact where a row
// is fitted so well that p_label is 1 to the last digit.
std::vector<double> logit_gradient(std::span<const double> logits, int label);
double length(std::span<const double> vector);

}  // namespace normscope
