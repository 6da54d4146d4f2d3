#include "experiments/run_histories.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "core/file.h"

namespace normscope {

RunHistories::RunHistories(const PreparedData& data) {
  Set given{"memorization"}, truth{"noisy_true"}, siblings{"clean_siblings"}, test{"test", true};
  std::set<int> classes;
  std::set<int64_t> noisy;
  for (const auto& row : data.noise.rows) {
    noisy.insert(row.row);
    classes.insert(row.true_label);
    given.rows.push_back(row.row);
    given.labels.push_back(row.given_label);
    truth.labels.push_back(row.true_label);
  }
  truth.rows = given.rows;
  for (size_t i = 0; i < data.given_labels.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    if (noisy.contains(row) || !classes.contains(data.given_labels[i])) continue;
    siblings.rows.push_back(row);
    siblings.labels.push_back(data.given_labels[i]);
  }
  test.labels = data.test_tokens->labels;
  for (int64_t row = 0; row < static_cast<int64_t>(test.labels.size()); ++row) test.rows.push_back(row);
  for (auto* set : {&given, &truth, &siblings, &test}) {
    set->histories.resize(set->rows.size());
    if (!set->rows.empty()) sets_.push_back(std::move(*set));
  }
}

template <typename Prediction>
void RunHistories::follow_sets(bool is_test, int64_t epoch, Prediction&& prediction) {
  for (auto& set : sets_) {
    if (set.is_test != is_test) continue;
    for (size_t i = 0; i < set.rows.size(); ++i)
      set.histories[i].follow(epoch, prediction(set.rows[i]) == set.labels[i]);
  }
}

void RunHistories::follow(int64_t epoch, const Logits& train, const Logits& test) {
  follow_sets(false, epoch, [&](int64_t row) { return predicted_label(train.row(row)); });
  follow_sets(true, epoch, [&](int64_t row) { return predicted_label(test.row(row)); });
}

void RunHistories::replay_file(const std::filesystem::path& path, bool is_test, int64_t last) {
  std::optional<MappedFile> file;
  Dynamics dynamics;
  if (std::filesystem::exists(path)) dynamics = parse_dynamics(file.emplace(path, ErrorKind::Data).bytes());
  bool is_whole = static_cast<int64_t>(dynamics.epochs.size()) > last;  // epoch 0 counts
  for (const auto& set : sets_)
    if (set.is_test == is_test) is_whole &= *std::ranges::max_element(set.rows) < dynamics.rows;
  for (auto& set : sets_)
    if (set.is_test == is_test) set.is_whole = is_whole;
  if (!is_whole) return;
  for (int64_t epoch = 1; epoch <= last; ++epoch) {
    const auto records = dynamics.epochs[static_cast<size_t>(epoch)];
    follow_sets(is_test, epoch, [&](int64_t row) { return records[static_cast<size_t>(row)].prediction; });
  }
}

void RunHistories::replay(const std::filesystem::path& folder, int64_t last) {
  replay_file(folder / "dynamics.bin", false, last);
  replay_file(folder / "test_dynamics.bin", true, last);
}

std::vector<Reading> RunHistories::readings() const {
  std::vector<Reading> readings;
  for (const auto& set : sets_) {
    if (!set.is_whole) continue;
    const auto summary = summarize(set.histories);
    const auto add = [&](const char* metric, double value) {
      if (!std::isnan(value)) readings.push_back({0, set.name, metric, std::nullopt, std::nullopt, value});
    };
    add("history_learned", summary.learned);
    add("history_ever_learned", summary.ever_learned);
    add("history_never_forgotten", summary.never_forgotten);
    add("history_first_learned_epoch", summary.first_learned_epoch);
    add("history_forgetting_events", summary.forgetting_events);
  }
  return readings;
}

}  // namespace normscope
