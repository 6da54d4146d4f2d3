// The tables of scores and filters.
#include "measurements/confident_learning.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/text.h"

namespace normscope {
namespace {

constexpr double kTolerance = 1e-6;

double given_probability(std::span<const int> labels, const Probabilities& probabilities, size_t i) {
  return probabilities.row(static_cast<int64_t>(i))[static_cast<size_t>(labels[i])];
}

template <typename Score>
std::vector<double> score_rows(std::span<const int> labels, const Probabilities& probabilities, const Score& score) {
  std::vector<double> scores;
  scores.reserve(labels.size());
  for (size_t i = 0; i < labels.size(); ++i)
    scores.push_back(score(probabilities.row(static_cast<int64_t>(i)), labels[i]));
  return scores;
}

std::vector<double> self_confidence(std::span<const int> labels, const Probabilities& probabilities) {
  return score_rows(labels, probabilities,
                    [](std::span<const double> row, int label) { return row[static_cast<size_t>(label)]; });
}

std::vector<double> normalized_margin(std::span<const int> labels, const Probabilities& probabilities) {
  return score_rows(labels, probabilities,
                    [](std::span<const double> row, int label) { return (margin(row, label) + 1) / 2; });
}

std::vector<double> confidence_weighted_entropy(std::span<const int> labels, const Probabilities& probabilities) {
  return score_rows(labels, probabilities, [](std::span<const double> row, int label) {
    double entropy = 0;
    for (const double p : row)
      if (p > 0) entropy -= p * std::log(p);
    entropy /= std::log(static_cast<double>(row.size()));
    const double weighted = entropy / std::max(row[static_cast<size_t>(label)], kTolerance);
    return std::log(weighted + 1) / std::max(weighted, kTolerance);
  });
}

// Takes back what the prediction, within the tolerance, agrees with.
void keep_agreeing(std::vector<bool>& is_issue, std::span<const int> labels, const Probabilities& probabilities) {
  for (size_t i = 0; i < labels.size(); ++i) {
    const auto row = probabilities.row(static_cast<int64_t>(i));
    const auto label = static_cast<size_t>(labels[i]);
    const double given = row[label] + kTolerance;
    bool agrees = true;
    for (size_t c = 0; c < row.size(); ++c) {
      if (c != label && (c < label ? row[c] >= given : row[c] > given)) agrees = false;
    }
    if (agrees) is_issue[i] = false;
  }
}

std::vector<std::vector<size_t>> rows_by_label(std::span<const int> labels, size_t num_classes) {
  std::vector<std::vector<size_t>> rows(num_classes);
  for (size_t i = 0; i < labels.size(); ++i) rows[static_cast<size_t>(labels[i])].push_back(i);
  return rows;
}

// The joint with at least one row of each class left as it is; what the diagonal gains, the row's other counts lose.
CountMatrix counts_to_prune(CountMatrix joint) {
  for (size_t given = 0; given < joint.size(); ++given) {
    auto& row = joint[given];
    const auto kept = std::max<int64_t>(row[given], 1);
    const auto others = std::max<int64_t>(std::ranges::count_if(row, [](int64_t n) { return n != 0; }) - 1, 1);
    const double share = static_cast<double>(kept - row[given]) / static_cast<double>(others);
    for (auto& count : row) count = static_cast<int64_t>(std::max(static_cast<double>(count) - share, 0.0));
    row[given] = kept;
  }
  return joint;
}

// Marks the `count` rows with the lowest key; equal keys by row.
template <typename Key>
void mark_lowest(std::vector<size_t> rows, int64_t count, const Key& key, std::vector<bool>& is_issue) {
  std::ranges::stable_sort(rows, {}, key);
  for (size_t i = 0; i < std::min(rows.size(), static_cast<size_t>(std::max<int64_t>(count, 0))); ++i)
    is_issue[rows[i]] = true;
}

// Of each class as many of its least probable rows as the joint counts in other classes.
std::vector<bool> mark_by_class(std::span<const int> labels, const Probabilities& probabilities,
                                const ConfidentJoint& joint) {
  std::vector<bool> is_issue(labels.size());
  const auto counts = counts_to_prune(joint.calibrated);
  const auto rows = rows_by_label(labels, counts.size());
  for (size_t c = 0; c < rows.size(); ++c)
    if (rows[c].size() > 1)
      mark_lowest(
          rows[c], static_cast<int64_t>(rows[c].size()) - counts[c][c],
          [&](size_t i) { return given_probability(labels, probabilities, i); }, is_issue);
  return is_issue;
}

// Of each pair of classes as many rows as the joint counts there, those that lean most to the other class.
std::vector<bool> mark_by_noise_rate(std::span<const int> labels, const Probabilities& probabilities,
                                     const ConfidentJoint& joint) {
  std::vector<bool> is_issue(labels.size());
  const auto counts = counts_to_prune(joint.calibrated);
  const auto rows = rows_by_label(labels, counts.size());
  for (size_t given = 0; given < rows.size(); ++given) {
    for (size_t truth = 0; truth < rows.size(); ++truth) {
      if (truth == given || rows[given].size() <= 1) continue;
      const auto lean = [&](size_t i) {
        const auto row = probabilities.row(static_cast<int64_t>(i));
        return row[given] - row[truth];
      };
      mark_lowest(rows[given], counts[given][truth], lean, is_issue);
    }
  }
  return is_issue;
}

std::vector<bool> prune_by_noise_rate(std::span<const int> labels, const Probabilities& probabilities,
                                      const ConfidentJoint& joint) {
  auto is_issue = mark_by_noise_rate(labels, probabilities, joint);
  keep_agreeing(is_issue, labels, probabilities);
  return is_issue;
}

std::vector<bool> prune_by_class(std::span<const int> labels, const Probabilities& probabilities,
                                 const ConfidentJoint& joint) {
  auto is_issue = mark_by_class(labels, probabilities, joint);
  keep_agreeing(is_issue, labels, probabilities);
  return is_issue;
}

std::vector<bool> both(std::span<const int> labels, const Probabilities& probabilities, const ConfidentJoint& joint) {
  auto is_issue = prune_by_class(labels, probabilities, joint);
  const auto by_rate = prune_by_noise_rate(labels, probabilities, joint);
  for (size_t i = 0; i < is_issue.size(); ++i) is_issue[i] = is_issue[i] && by_rate[i];
  return is_issue;
}

std::vector<bool> off_diagonal(std::span<const int> labels, const Probabilities& probabilities,
                               const ConfidentJoint& joint) {
  std::vector<bool> is_issue(labels.size());
  for (const int64_t row : joint.off_diagonal) is_issue[static_cast<size_t>(row)] = true;
  keep_agreeing(is_issue, labels, probabilities);
  return is_issue;
}

std::vector<bool> predicted_neq_given(std::span<const int> labels, const Probabilities& probabilities,
                                      const ConfidentJoint&) {
  std::vector<bool> is_issue;
  for (size_t i = 0; i < labels.size(); ++i)
    is_issue.push_back(predicted_label(probabilities.row(static_cast<int64_t>(i))) != labels[i]);
  keep_agreeing(is_issue, labels, probabilities);
  return is_issue;
}

// As many rows as lie off the joint's diagonal, those with the lowest scores.
std::vector<bool> lowest(const std::vector<double>& scores, std::span<const int> labels,
                         const Probabilities& probabilities, const ConfidentJoint& joint) {
  const auto counted = off_diagonal(labels, probabilities, joint);
  std::vector<bool> is_issue(labels.size());
  std::vector<size_t> rows(labels.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  mark_lowest(
      std::move(rows), std::ranges::count(counted, true), [&](size_t i) { return scores[i]; }, is_issue);
  return is_issue;
}

std::vector<bool> low_normalized_margin(std::span<const int> labels, const Probabilities& probabilities,
                                        const ConfidentJoint& joint) {
  return lowest(normalized_margin(labels, probabilities), labels, probabilities, joint);
}

std::vector<bool> low_self_confidence(std::span<const int> labels, const Probabilities& probabilities,
                                      const ConfidentJoint& joint) {
  return lowest(self_confidence(labels, probabilities), labels, probabilities, joint);
}

template <typename Row>
const Row& find_row(std::span<const Row> table, const std::string& name, const char* what) {
  std::vector<std::string> names;
  for (const auto& row : table) {
    if (row.name == name) return row;
    names.emplace_back(row.name);
  }
  const auto nearest = nearest_name(name, names);
  throw Error(ErrorKind::Usage, std::string(what) + " is \"" + name + "\"; known: " + join(names, ", ") +
                                    (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
}

}  // namespace

std::span<const LabelScore> label_scores() {
  static const LabelScore table[] = {
      {"self_confidence", "probability of the given label", self_confidence},
      {"normalized_margin", "probability of the given label minus the largest other, moved to 0-1", normalized_margin},
      {"confidence_weighted_entropy", "entropy over the probability of the given label, moved to 0-1",
       confidence_weighted_entropy},
  };
  return table;
}

std::span<const IssueFilter> issue_filters() {
  static const IssueFilter table[] = {
      {"prune_by_noise_rate", "of each pair of classes as many rows as the joint counts", prune_by_noise_rate},
      {"prune_by_class", "of each class as many rows as the joint counts elsewhere", prune_by_class},
      {"both", "rows that both of those take", both},
      {"confident_learning", "rows that are confidently of another class", off_diagonal},
      {"predicted_neq_given", "rows whose prediction is another class", predicted_neq_given},
      {"low_normalized_margin", "as many as confident_learning, by normalized_margin", low_normalized_margin},
      {"low_self_confidence", "as many as confident_learning, by self_confidence", low_self_confidence},
  };
  return table;
}

const LabelScore& find_label_score(const std::string& name) { return find_row(label_scores(), name, "the score"); }
const IssueFilter& find_issue_filter(const std::string& name) { return find_row(issue_filters(), name, "the filter"); }

std::vector<int64_t> ranked_issues(const std::vector<bool>& is_issue, std::span<const double> scores) {
  std::vector<int64_t> rows;
  for (size_t i = 0; i < is_issue.size(); ++i)
    if (is_issue[i]) rows.push_back(static_cast<int64_t>(i));
  std::ranges::stable_sort(rows, {}, [&](int64_t i) { return scores[static_cast<size_t>(i)]; });
  return rows;
}

}  // namespace normscope
