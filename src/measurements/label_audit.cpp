// Judges rows, says why, ranks them, and holds the ranking against the truth where it is known.
#include "measurements/label_audit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "core/error.h"

namespace normscope {
namespace {

std::string decimals(double value, int digits = 2) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string epochs_words(int64_t count) { return std::to_string(count) + (count == 1 ? " epoch" : " epochs"); }

std::vector<AuditedRow> start_rows(std::span<const int> labels) {
  std::vector<AuditedRow> rows(labels.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].row = rows[i].source_row = static_cast<int64_t>(i);
    rows[i].given_label = labels[i];
  }
  return rows;
}

// What in a row's course speaks against its label.
std::vector<std::string> reasons(const RowDynamics& row, int given_label, int64_t num_epochs,
                                 const std::vector<std::string>& classes) {
  std::vector<std::string> why;
  if (row.mean_margin < 0) why.push_back("another class leads by " + decimals(-row.mean_margin) + " logits on average");
  if (row.predicted_label != given_label)
    why.push_back("predicted as " + classes[static_cast<size_t>(row.predicted_label)] + " in " +
                  std::to_string(row.predicted_epochs) + " of " + epochs_words(num_epochs));
  if (row.first_learned_epoch == 0) {
    why.push_back("never predicted as labelled");
  } else if (2 * row.first_learned_epoch > num_epochs && num_epochs > 1) {
    why.push_back("first predicted as labelled in epoch " + std::to_string(row.first_learned_epoch) + " of " +
                  std::to_string(num_epochs));
  }
  if (row.forgetting_events > 0)
    why.push_back(row.forgetting_events == 1 ? "forgotten once"
                                             : "forgotten " + std::to_string(row.forgetting_events) + " times");
  if (row.confidence < 0.5) why.push_back("mean probability of the label " + decimals(row.confidence));
  return why;
}

template <typename Value>
AuditSignal signal_of(std::string name, bool high_is_suspicious, const std::vector<RowDynamics>& rows,
                      const Value& value) {
  AuditSignal signal{std::move(name), high_is_suspicious, {}};
  for (const auto& row : rows) signal.values.push_back(static_cast<double>(value(row)));
  return signal;
}

std::vector<AuditSignal> dynamics_signals(const std::vector<RowDynamics>& rows, int64_t num_epochs) {
  const auto never = num_epochs + 1;  // a row that was never learned ranks behind all that were
  return {
      signal_of("mean_margin", false, rows, [](const RowDynamics& r) { return r.mean_margin; }),
      signal_of("final_loss", true, rows, [](const RowDynamics& r) { return r.final_loss; }),
      signal_of("mean_loss", true, rows, [](const RowDynamics& r) { return r.mean_loss; }),
      signal_of("confidence", false, rows, [](const RowDynamics& r) { return r.confidence; }),
      signal_of("variability", true, rows, [](const RowDynamics& r) { return r.variability; }),
      signal_of("correctness", false, rows, [](const RowDynamics& r) { return r.correctness; }),
      signal_of("forgetting_events", true, rows, [](const RowDynamics& r) { return r.forgetting_events; }),
      signal_of("first_learned_epoch", true, rows,
                [never](const RowDynamics& r) { return r.first_learned_epoch == 0 ? never : r.first_learned_epoch; }),
  };
}

}  // namespace

int64_t LabelAudit::issue_count() const {
  return std::ranges::count_if(rows, [](const AuditedRow& row) { return row.is_issue; });
}

std::vector<bool> LabelAudit::is_wrong() const {
  std::vector<bool> wrong;
  for (size_t i = 0; i < rows.size(); ++i) wrong.push_back(rows[i].given_label != true_labels[i]);
  return wrong;
}

LabelAudit audit_probabilities(std::vector<std::string> classes, std::span<const int> labels,
                               const Probabilities& probabilities, const AuditRules& rules) {
  const auto& filter = find_issue_filter(rules.filter);
  const auto& chosen = find_label_score(rules.score);
  LabelAudit audit;
  audit.method = "confident learning, issues by " + rules.filter + ", ranked by " + rules.score;
  audit.classes = std::move(classes);
  audit.rows = start_rows(labels);
  audit.joint = confident_joint(labels, probabilities);
  audit.latent = estimate_latent_noise(*audit.joint, labels);
  for (const auto* score : {&chosen, &label_scores()[0], &label_scores()[1], &label_scores()[2]})
    if (audit.signals.empty() || score != &chosen)
      audit.signals.push_back({std::string(score->name), false, score->score(labels, probabilities)});
  const auto is_issue = filter.find(labels, probabilities, *audit.joint);
  for (size_t i = 0; i < audit.rows.size(); ++i) {
    auto& row = audit.rows[i];
    const auto p = probabilities.row(static_cast<int64_t>(i));
    row.is_issue = is_issue[i];
    row.score = audit.signals[0].values[i];
    row.predicted_label = predicted_label(p);
    if (row.predicted_label == row.given_label) continue;
    row.suggested_label = row.predicted_label;
    row.suggested_probability = p[static_cast<size_t>(row.predicted_label)];
    row.why.push_back("predicted as " + audit.classes[static_cast<size_t>(row.predicted_label)] + " with probability " +
                      decimals(row.suggested_probability));
    row.why.push_back("probability of the label " + decimals(p[static_cast<size_t>(row.given_label)]));
  }
  for (const int64_t i : audit.joint->off_diagonal)
    audit.rows[static_cast<size_t>(i)].why.push_back("confidently of another class");
  finish_audit(audit);
  return audit;
}

LabelAudit audit_dynamics(std::vector<std::string> classes, std::span<const int> labels, const Dynamics& dynamics,
                          const AuditRules& rules) {
  require(dynamics.epochs.size() > 1, ErrorKind::Data, "dynamics: expected at least one epoch of training, found ",
          dynamics.epochs.empty() ? "none" : "epoch 0 only");
  require(dynamics.rows == labels.size() && dynamics.classes == classes.size(), ErrorKind::Data, "dynamics: expected ",
          labels.size(), " rows and ", classes.size(), " classes, found ", dynamics.rows, " and ", dynamics.classes);
  const auto epochs = std::span(dynamics.epochs).subspan(1);
  const auto num_epochs = static_cast<int64_t>(epochs.size());
  const auto measured = measure_dynamics(epochs, labels);
  LabelAudit audit;
  audit.method = "training dynamics of " + epochs_words(num_epochs) + ", ranked by mean logit margin";
  audit.classes = std::move(classes);
  audit.rows = start_rows(labels);
  audit.signals = dynamics_signals(measured, num_epochs);
  for (size_t i = 0; i < audit.rows.size(); ++i) {
    auto& row = audit.rows[i];
    row.score = 1 / (1 + std::exp(-measured[i].mean_margin));
    row.is_issue = row.score < rules.threshold;
    row.predicted_label = measured[i].predicted_label;
    row.suggested_label = measured[i].suggested_label;
    if (row.suggested_label >= 0) row.suggested_probability = measured[i].suggested_probability;
    row.why = reasons(measured[i], row.given_label, num_epochs, audit.classes);
  }
  finish_audit(audit);
  return audit;
}

void finish_audit(LabelAudit& audit) {
  audit.ranking.resize(audit.rows.size());
  std::iota(audit.ranking.begin(), audit.ranking.end(), int64_t{0});
  const auto at = [&](int64_t i) -> const AuditedRow& { return audit.rows[static_cast<size_t>(i)]; };
  const bool by_score = audit.signals.empty();
  const auto suspicion = [&](int64_t i) {
    if (by_score) return -at(i).score;
    const double value = audit.signals[0].values[static_cast<size_t>(i)];  // a score that is 0 or 1 hides differences
    return audit.signals[0].high_is_suspicious ? value : -value;
  };
  std::ranges::stable_sort(audit.ranking, [&](int64_t a, int64_t b) {
    if (at(a).is_issue != at(b).is_issue) return at(a).is_issue;
    return suspicion(a) > suspicion(b);
  });
  std::vector<int64_t> members(audit.classes.size()), issues(audit.classes.size());
  for (const auto& row : audit.rows) {
    ++members[static_cast<size_t>(row.given_label)];
    issues[static_cast<size_t>(row.given_label)] += row.is_issue;
  }
  for (size_t c = 0; c < members.size(); ++c) {
    const std::string name = "class \"" + audit.classes[c] + "\"";
    if (members[c] == 0) audit.warnings.push_back(name + " has no row: no label of it can be judged");
    if (members[c] == 1)
      audit.warnings.push_back(name +
                               " has one row: whether its label is right cannot be told from others of its kind");
    if (members[c] > 1 && issues[c] == members[c])
      audit.warnings.push_back("all " + std::to_string(members[c]) + " rows of " + name +
                               " are suspicious: the class itself may be misnamed, or was not learned");
  }
}

CountMatrix suspected_confusion(const LabelAudit& audit) {
  const size_t num_classes = audit.classes.size();
  CountMatrix counts(num_classes, std::vector<int64_t>(num_classes));
  for (const auto& row : audit.rows)
    if (row.is_issue && row.suggested_label >= 0)
      ++counts[static_cast<size_t>(row.given_label)][static_cast<size_t>(row.suggested_label)];
  return counts;
}

std::vector<SignalDetection> detections(const LabelAudit& audit) {
  const auto is_wrong = audit.is_wrong();
  std::vector<SignalDetection> list;
  for (const auto& signal : audit.signals) {
    auto suspicion = signal.values;
    if (!signal.high_is_suspicious)
      for (double& value : suspicion) value = -value;
    list.push_back({signal.name, measure_detection(suspicion, is_wrong)});
  }
  return list;
}

}  // namespace normscope
