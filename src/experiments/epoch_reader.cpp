#include "experiments/epoch_reader.h"

#include "measurements/m_score.h"
#include "measurements/memorization.h"

namespace normscope {
namespace {

// Accuracy over the rows whose label was not replaced, 0-100.
double clean_accuracy(const Logits& logits, const PreparedData& data) {
  int64_t clean = 0, correct = 0;
  for (size_t i = 0; i < data.true_labels.size(); ++i) {
    if (data.given_labels[i] != data.true_labels[i]) continue;
    ++clean;
    correct += predicted_label(logits.row(static_cast<int64_t>(i))) == data.true_labels[i];
  }
  return clean == 0 ? kUndefined : 100 * static_cast<double>(correct) / static_cast<double>(clean);
}

// The noisy rows' logits in drawn order, from the training rows' or from a pass over them alone.
Logits noisy_logits(const Model& model, const PreparedData& data, const Logits& train, const ReadOptions& options) {
  Logits noisy;
  noisy.num_classes = model.num_labels;
  if (train.count() > 0) {
    for (const auto& row : data.noise.rows) {
      const auto values = train.row(row.row);
      noisy.values.insert(noisy.values.end(), values.begin(), values.end());
    }
    return noisy;
  }
  std::vector<int64_t> rows;
  for (const auto& row : data.noise.rows) rows.push_back(row.row);
  return evaluate(model, select_rows(*data.train_tokens, rows), options.batch_size, options.batch);
}

// m_score and m_score_p: of the training rows that have the trigger word, and of test rows of other classes.
std::vector<Reading> trigger_readings(const Model& model, const TriggerRows& trigger, const ReadOptions& options) {
  std::vector<Reading> readings;
  const auto add = [&](const std::string& split, const TokenRows& without, const TokenRows& with) {
    const auto m = measure_m_score(evaluate(model, without, options.batch_size, options.batch),
                                   evaluate(model, with, options.batch_size, options.batch), trigger.label);
    for (const auto& [metric, value] : {std::pair{"m_score", m.score}, std::pair{"m_score_p", m.p}}) {
      Reading reading;
      reading.split = split;
      reading.metric = metric;
      reading.value = value;
      readings.push_back(reading);
    }
  };
  add("train", trigger.without, trigger.with);
  add("test", trigger.test_without, trigger.test_with);
  return readings;
}

}  // namespace

EpochReading read_epoch(const Model& model, const PreparedData& data, int64_t epoch, const EpochProgress* progress,
                        const ReadOptions& options) {
  EpochReading reading;
  auto& metrics = reading.metrics;
  metrics.epoch = epoch;
  if (progress != nullptr && progress->rows > 0) {
    metrics.train_loss = progress->loss_sum / static_cast<double>(progress->rows);
    metrics.train_accuracy = 100 * static_cast<double>(progress->correct) / static_cast<double>(progress->rows);
  }
  if (options.evaluate_train) {
    reading.train_logits = evaluate(model, *data.train_tokens, options.batch_size, options.batch);
    metrics.train_accuracy_eval = classify(reading.train_logits, data.given_labels).accuracy;
    metrics.train_clean_accuracy = clean_accuracy(reading.train_logits, data);
  }
  if (data.validation_tokens->count() > 0) {
    const auto validation = classify(evaluate(model, *data.validation_tokens, options.batch_size, options.batch),
                                     data.validation_tokens->labels);
    metrics.validation_loss = validation.loss;
    metrics.validation_accuracy = validation.accuracy;
  }
  if (data.test_tokens->count() > 0) {
    reading.test_logits = evaluate(model, *data.test_tokens, options.batch_size, options.batch);
    const auto test = classify(reading.test_logits, data.test_tokens->labels);
    metrics.test_loss = test.loss;
    metrics.test_accuracy = test.accuracy;
    metrics.test_macro_precision = test.macro_precision;
    metrics.test_macro_recall = test.macro_recall;
    metrics.test_macro_f1 = test.macro_f1;
    metrics.overfit_gap = metrics.train_accuracy - metrics.test_accuracy;
    metrics.overfit_gap_eval = metrics.train_accuracy_eval - metrics.test_accuracy;
  }
  if (!data.noise.rows.empty()) {
    const auto logits = noisy_logits(model, data, reading.train_logits, options);
    std::vector<int> given, truth;
    for (const auto& row : data.noise.rows) {
      given.push_back(row.given_label);
      truth.push_back(row.true_label);
      reading.noisy_predictions.push_back(predicted_label(logits.row(static_cast<int64_t>(given.size()) - 1)));
    }
    const auto memory = measure_memorization(logits, given, truth);
    metrics.memorization = memory.memorization;
    metrics.recovery = memory.recovery;
    metrics.random_prediction = memory.random_prediction;
    metrics.noisy_loss = memory.loss;
  }
  if (data.trigger) reading.readings = trigger_readings(model, *data.trigger, options);
  return reading;
}

}  // namespace normscope
