// One row of a run's metrics: what was read after an epoch, in the order of every table that shows it.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace normscope {

inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// Percentages are 0-100. kUndefined where a quantity has no meaning (no validation file, no noisy rows, ...).
struct EpochMetrics {
  int64_t epoch = 0;                         // 0: before training
  double train_loss = kUndefined;            // mean per row, running
  double train_accuracy = kUndefined;        // running, train mode, given labels
  double train_accuracy_eval = kUndefined;   // eval mode, given labels
  double train_clean_accuracy = kUndefined;  // eval mode, true labels, clean rows
  double validation_loss = kUndefined;
  double validation_accuracy = kUndefined;
  double test_loss = kUndefined;
  double test_accuracy = kUndefined;
  double test_macro_precision = kUndefined;
  double test_macro_recall = kUndefined;
  double test_macro_f1 = kUndefined;
  double memorization = kUndefined;
  double recovery = kUndefined;
  double random_prediction = kUndefined;
  double overfit_gap = kUndefined;       // train_accuracy - test_accuracy, points
  double overfit_gap_eval = kUndefined;  // train_accuracy_eval - test_accuracy, points
  double noisy_loss = kUndefined;
  double samples_per_s = kUndefined;
  double seconds = kUndefined;
};

// A column of metrics.csv and the reading that holds it in the database.
struct MetricField {
  std::string_view name;
  std::string_view split, metric;  // split "": of no single split
  double EpochMetrics::*member;
};

// The one list: CSV header, JSON keys, database names and the view `metrics` follow it. `epoch` comes first.
inline constexpr std::array kMetricFields = {
    MetricField{"train_loss", "train", "loss", &EpochMetrics::train_loss},
    MetricField{"train_accuracy", "train", "accuracy", &EpochMetrics::train_accuracy},
    MetricField{"train_accuracy_eval", "train", "accuracy_eval", &EpochMetrics::train_accuracy_eval},
    MetricField{"train_clean_accuracy", "train", "clean_accuracy", &EpochMetrics::train_clean_accuracy},
    MetricField{"validation_loss", "validation", "loss", &EpochMetrics::validation_loss},
    MetricField{"validation_accuracy", "validation", "accuracy", &EpochMetrics::validation_accuracy},
    MetricField{"test_loss", "test", "loss", &EpochMetrics::test_loss},
    MetricField{"test_accuracy", "test", "accuracy", &EpochMetrics::test_accuracy},
    MetricField{"test_macro_precision", "test", "macro_precision", &EpochMetrics::test_macro_precision},
    MetricField{"test_macro_recall", "test", "macro_recall", &EpochMetrics::test_macro_recall},
    MetricField{"test_macro_f1", "test", "macro_f1", &EpochMetrics::test_macro_f1},
    MetricField{"memorization", "noisy", "memorization", &EpochMetrics::memorization},
    MetricField{"recovery", "noisy", "recovery", &EpochMetrics::recovery},
    MetricField{"random_prediction", "noisy", "random_prediction", &EpochMetrics::random_prediction},
    MetricField{"overfit_gap", "", "overfit_gap", &EpochMetrics::overfit_gap},
    MetricField{"overfit_gap_eval", "", "overfit_gap_eval", &EpochMetrics::overfit_gap_eval},
    MetricField{"noisy_loss", "noisy", "loss", &EpochMetrics::noisy_loss},
    MetricField{"samples_per_s", "train", "samples_per_s", &EpochMetrics::samples_per_s},
    MetricField{"seconds", "", "seconds", &EpochMetrics::seconds},
};

// "epoch,train_loss,..." and one row, both without a line break. Undefined: an empty cell.
std::string metrics_csv_header();
std::string metrics_csv_row(const EpochMetrics& metrics);

// Undefined and infinite values are null: JSON has no word for them.
nlohmann::ordered_json metrics_json(const EpochMetrics& metrics);
EpochMetrics metrics_from_json(const nlohmann::ordered_json& json);  // what is not there is undefined

}  // namespace normscope
