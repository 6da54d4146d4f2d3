// What the model says on the rows whose label was replaced (study.md 4).
#pragma once
#include "measurements/logits.h"

namespace normscope {

enum class NoisyOutcome { Memorized, Recovered, Random };

// Percentages 0-100 that sum to 100; NaN for no rows.
struct Memorization {
  double memorization = 0;       // predicted as the wrong given label
  double recovery = 0;           // predicted as the true label
  double random_prediction = 0;  // predicted as neither
  double loss = 0;               // mean cross entropy to the given label, nats
};

NoisyOutcome noisy_outcome(int predicted, int given_label, int true_label);

Memorization measure_memorization(const Logits& logits, std::span<const int> given_labels,
                                  std::span<const int> true_labels);

}  // namespace normscope
