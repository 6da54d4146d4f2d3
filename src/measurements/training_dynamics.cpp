#include "measurements/training_dynamics.h"

#include <cassert>
#include <cmath>
#include <map>

#include "measurements/row_history.h"

namespace normscope {
namespace {

RowDynamics measure_row(std::span<const std::span<const DynamicsRecord>> epochs, size_t row, int given_label) {
  RowDynamics result;
  const auto num_epochs = static_cast<double>(epochs.size());
  std::map<int, int64_t> votes;
  std::map<int, double> spoken;  // of other classes, probabilities summed
  RowHistory history;
  for (size_t e = 0; e < epochs.size(); ++e) {
    const auto& record = epochs[e][row];
    const double loss = record.loss, margin = record.margin;
    const bool is_learned = record.prediction == given_label;
    result.mean_margin += margin / num_epochs;
    result.mean_loss += loss / num_epochs;
    result.final_loss = loss;
    result.confidence += std::exp(-loss) / num_epochs;
    result.correctness += is_learned ? 100 / num_epochs : 0;
    history.follow(static_cast<int64_t>(e) + 1, is_learned);
    ++votes[record.prediction];
    // A prediction that is not the given label is the largest other logit: p = p(given) exp(-margin).
    if (!is_learned) spoken[record.prediction] += std::exp(-loss - margin) / num_epochs;
  }
  result.forgetting_events = history.forgetting_events;
  result.first_learned_epoch = history.first_learned_epoch;
  double variance = 0;
  for (const auto& epoch : epochs)
    variance += std::pow(std::exp(-static_cast<double>(epoch[row].loss)) - result.confidence, 2) / num_epochs;
  result.variability = std::sqrt(variance);
  for (const auto& [label, count] : votes)
    if (count > result.predicted_epochs) {
      result.predicted_epochs = count;
      result.predicted_label = label;
    }
  for (const auto& [label, probability] : spoken)
    if (result.suggested_label < 0 || probability > result.suggested_probability) {
      result.suggested_label = label;
      result.suggested_probability = probability;
    }
  return result;
}

}  // namespace

std::vector<RowDynamics> measure_dynamics(std::span<const std::span<const DynamicsRecord>> epochs,
                                          std::span<const int> given_labels) {
  assert(!epochs.empty());
  std::vector<RowDynamics> rows;
  rows.reserve(given_labels.size());
  for (size_t row = 0; row < given_labels.size(); ++row) rows.push_back(measure_row(epochs, row, given_labels[row]));
  return rows;
}

}  // namespace normscope
