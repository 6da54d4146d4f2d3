// Which rows' labels are likely to be wrong: the rows ranked, with the reasons, from probabilities or from training.
#pragma once
#include <limits>
#include <optional>
#include <string>

#include "measurements/confident_learning.h"
#include "measurements/detection.h"
#include "measurements/training_dynamics.h"

namespace normscope {

struct AuditedRow {
  int64_t row = 0, source_row = 0;
  bool is_issue = false;
  double score = 0;  // 0-1, low where the label is likely to be wrong
  int given_label = -1;
  int predicted_label = -1;
  int suggested_label = -1;  // -1: nothing speaks for another
  double suggested_probability = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::string> why;                // signals in words
  std::vector<int64_t> duplicates, conflicts;  // rows with the same content and label; with another label
  std::string content;                         // the start of the text, or the picture's place
  std::string picture;                         // file of a small copy; "" for texts
};

// One number a row by which suspicion can be ranked.
struct AuditSignal {
  std::string name;
  bool high_is_suspicious = false;
  std::vector<double> values;
};

struct SignalDetection {
  std::string signal;
  Detection detection;
};

struct LabelAudit {
  std::string method;  // how the rows were judged, in words
  std::vector<std::string> classes;
  std::vector<AuditedRow> rows;      // in the data's order
  std::vector<int64_t> ranking;      // of `rows`: issues first, each part by score, then by row
  std::vector<AuditSignal> signals;  // by row, the one that ranks first
  std::optional<ConfidentJoint> joint;
  std::optional<LatentNoise> latent;
  std::vector<int> true_labels;  // by row where the truth is known, else empty
  std::vector<std::string> warnings;

  int64_t issue_count() const;
  std::vector<bool> is_wrong() const;  // needs true_labels
};

struct AuditRules {
  std::string filter = "prune_by_noise_rate";  // of issue_filters()
  std::string score = "self_confidence";       // of label_scores()
  double threshold = 0.5;  // dynamics: a row with a lower score is an issue; 0.5 is a mean margin of 0
};

// Confident learning on a row's own probabilities. Throws Error(Usage) for an unknown filter or score.
LabelAudit audit_probabilities(std::vector<std::string> classes, std::span<const int> labels,
                               const Probabilities& probabilities, const AuditRules& rules);

// One run's own epochs: ranked by the mean logit margin (AUM), which the score squeezes to 0-1 by the logistic
// function. Epoch 0 is left out. Throws Error(Data) when `dynamics` has no epoch after it.
LabelAudit audit_dynamics(std::vector<std::string> classes, std::span<const int> labels, const Dynamics& dynamics,
                          const AuditRules& rules);

// Orders the ranking anew and adds warnings about classes of which one row or nothing is left.
void finish_audit(LabelAudit& audit);

// Issues counted by given and suggested label; those without a suggestion are left out.
CountMatrix suspected_confusion(const LabelAudit& audit);

// Every signal against the truth, and the issues as flagged. Need true_labels.
std::vector<SignalDetection> detections(const LabelAudit& audit);

}  // namespace normscope
