// Gradients and inputs at every norm on the study's sets of rows, and the theorems held against them.
#pragma once
#include <functional>

#include "data/label_noise.h"
#include "measurements/theorems.h"
#include "probes/gradient_probe.h"
#include "storage/run_store.h"

namespace normscope {

struct MeasuredData {
  const TokenRows& test;
  const TokenRows& train;
  std::span<const int> test_labels, train_labels;  // true ones
  std::span<const NoisyRow> noise;                 // of `train`
};

struct MeasureOptions {
  ProbeOptions probe;
  int64_t most_rows = 0;      // of each set; 0: all test and noisy rows, and as many clean training rows as test rows
  bool has_attention = true;  // attention entropies too, which cost a pass of plain attention
  uint64_t seed = 28;         // of which rows, random labels, and intervals
};

// Statistics of the study's scripts that run over padding run to `max_length` tokens; pictures have no padding.
ProbeOptions probe_options(const BatchOptions& batch, int64_t batch_size, int64_t max_length, const Model& model);

// Sets: learning (test rows, true labels), random_labels (test rows, any label but the true one), memorization (noisy
// rows, given labels), noisy_true (noisy rows, true labels), train_clean (training rows that kept their label). Sets
// without rows are left out. Inputs of test, noisy, train_clean.
struct Measured {
  std::vector<GradientSet> gradients;
  std::vector<NormInputSet> inputs;

  const GradientSet* find(std::string_view name) const;  // null when left out
};
Measured measure_norms(const Model& model, const MeasuredData& data, const MeasureOptions& options);

struct TheoremChecks {
  Theorem1 first;
  struct Set {
    std::string name;  // learning, memorization
    Theorem2 second;
    Theorem3 third;
  };
  std::vector<Set> sets;  // empty when only theorem 1 was asked for
};
// Without rows of either set, an unmet assumption.
Theorem1 first_theorem(const Measured& measured, uint64_t seed);
// Theorems 2 and 3 on `samples` test and noisy rows, chosen by seed; `exact` is the model in float64. Throws
// Error(Usage) naming a norm that is no LayerNorm or RMSNorm.
std::vector<TheoremChecks::Set> bound_theorems(const Model& exact, const MeasuredData& data, int64_t samples,
                                               const MeasureOptions& options,
                                               const std::function<void(const std::string&)>& note);

// What a run stores of an epoch: means over rows, of the total gradient with its interval.
std::vector<Reading> readings_of(const Measured& measured, uint64_t seed);

}  // namespace normscope
