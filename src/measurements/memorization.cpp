#include "measurements/memorization.h"

#include <limits>

namespace normscope {

NoisyOutcome noisy_outcome(int predicted, int given_label, int true_label) {
  if (predicted == given_label) return NoisyOutcome::Memorized;
  return predicted == true_label ? NoisyOutcome::Recovered : NoisyOutcome::Random;
}

Memorization measure_memorization(const Logits& logits, std::span<const int> given_labels,
                                  std::span<const int> true_labels) {
  Memorization result;
  int64_t memorized = 0, recovered = 0;
  for (int64_t i = 0; i < logits.count(); ++i) {
    const int given = given_labels[static_cast<size_t>(i)];
    const auto outcome = noisy_outcome(predicted_label(logits.row(i)), given, true_labels[static_cast<size_t>(i)]);
    memorized += outcome == NoisyOutcome::Memorized;
    recovered += outcome == NoisyOutcome::Recovered;
    result.loss += cross_entropy(logits.row(i), given);
  }
  const auto rows = static_cast<double>(logits.count());
  if (rows == 0) {
    constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
    return {kUndefined, kUndefined, kUndefined, kUndefined};
  }
  result.memorization = 100 * static_cast<double>(memorized) / rows;
  result.recovery = 100 * static_cast<double>(recovered) / rows;
  result.random_prediction = 100 * (rows - static_cast<double>(memorized + recovered)) / rows;
  result.loss /= rows;
  return result;
}

}  // namespace normscope
