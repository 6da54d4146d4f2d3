// Detection against scikit-learn, training dynamics against hand-made courses, and the ranking that follows.
#include "measurements/label_audit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace normscope {
namespace {

TEST(Detection, EqualsScikitLearn) {
  const auto cases = nlohmann::json::parse(std::ifstream(NORMSCOPE_FIXTURES "/audit/detection.json"));
  ASSERT_EQ(cases.size(), 5U);
  for (const auto& c : cases) {
    const std::vector<double> suspicion = c["suspicion"];
    const std::vector<bool> is_wrong = c["is_wrong"];
    const auto d = measure_detection(suspicion, is_wrong);
    EXPECT_NEAR(d.auroc, c["auroc"], 1e-12);
    EXPECT_NEAR(d.average_precision, c["average_precision"], 1e-12);
    // The mean of 4,000 random orders of a share of some tens of rows scatters by less than 0.5 %.
    EXPECT_NEAR(d.precision, c["precision"], c["orders"] == 1 ? 1e-9 : 0.5);
    EXPECT_DOUBLE_EQ(d.precision + d.miss_rate, 100);
    EXPECT_EQ(d.wrong, std::count(is_wrong.begin(), is_wrong.end(), true));
  }
}

TEST(Detection, IsUndefinedWhereAllLabelsAreAlike) {
  EXPECT_TRUE(std::isnan(measure_detection(std::vector<double>{1, 2}, {false, false}).auroc));
  EXPECT_TRUE(std::isnan(measure_detection(std::vector<double>{1, 2}, {true, true}).miss_rate));
}

TEST(Detection, NanIsTheLeastSuspicious) {
  const auto d = measure_detection(std::vector<double>{NAN, -5, 3}, {false, true, true});
  EXPECT_DOUBLE_EQ(d.auroc, 1);
  EXPECT_DOUBLE_EQ(d.precision, 100);
}

TEST(Detection, CountsFlags) {
  const auto q = measure_flags({true, true, false, false}, {true, false, true, true});
  EXPECT_EQ(q.flagged, 2);
  EXPECT_DOUBLE_EQ(q.precision, 50);
  EXPECT_NEAR(q.miss_rate, 200.0 / 3, 1e-12);
  EXPECT_TRUE(std::isnan(measure_flags({false}, {true}).precision));
}

// The record of these logits.
DynamicsRecord record_of(const std::vector<double>& logits, int label) {
  return {static_cast<float>(cross_entropy(logits, label)), static_cast<float>(logits[static_cast<size_t>(label)]),
          static_cast<float>(margin(logits, label)), predicted_label(logits)};
}

using Course = std::vector<std::vector<double>>;  // logits by epoch

Dynamics dynamics_of(const std::vector<Course>& rows, const std::vector<int>& labels,
                     std::vector<std::vector<DynamicsRecord>>& storage) {
  Dynamics dynamics{static_cast<uint32_t>(rows.size()), static_cast<uint32_t>(rows[0][0].size()), {}};
  storage.resize(rows[0].size());
  for (size_t e = 0; e < storage.size(); ++e) {
    for (size_t i = 0; i < rows.size(); ++i) storage[e].push_back(record_of(rows[i][e], labels[i]));
    dynamics.epochs.emplace_back(storage[e]);
  }
  return dynamics;
}

TEST(TrainingDynamics, AreThoseOfTheLogits) {
  const std::vector<Course> rows = {{{1, 3, 0}, {2, 1, 0}, {0, 2, 5}, {4, 1, 1}}};
  std::vector<std::vector<DynamicsRecord>> storage;
  const auto dynamics = dynamics_of(rows, {0}, storage);
  const auto row = measure_dynamics(dynamics.epochs, std::vector{0})[0];
  std::vector<double> p;
  for (const auto& logits : rows[0]) p.push_back(std::exp(-cross_entropy(logits, 0)));
  const double mean_p = (p[0] + p[1] + p[2] + p[3]) / 4;
  double variance = 0;
  for (const double value : p) variance += (value - mean_p) * (value - mean_p) / 4;
  EXPECT_NEAR(row.mean_margin, (-2 + 1 - 5 + 3) / 4.0, 1e-6);
  EXPECT_NEAR(row.confidence, mean_p, 1e-6);
  EXPECT_NEAR(row.variability, std::sqrt(variance), 1e-6);
  EXPECT_DOUBLE_EQ(row.correctness, 50);
  EXPECT_EQ(row.forgetting_events, 1);
  EXPECT_EQ(row.first_learned_epoch, 2);
  EXPECT_NEAR(row.final_loss, -std::log(p[3]), 1e-6);
  EXPECT_NEAR(row.mean_loss, -std::log(p[0] * p[1] * p[2] * p[3]) / 4, 1e-6);
  EXPECT_EQ(row.predicted_label, 0);
  EXPECT_EQ(row.predicted_epochs, 2);
  // Class 2 was predicted once, with nearly all probability; class 1 once, with less.
  EXPECT_EQ(row.suggested_label, 2);
  EXPECT_NEAR(row.suggested_probability, std::exp(-cross_entropy(rows[0][2], 2)) / 4, 1e-6);
}

TEST(TrainingDynamics, FileIsReadAsDocumented) {
  std::string bytes(64 + 4 * 16, '\0');
  DynamicsHeader header;
  header.rows = 2;
  header.classes = 3;
  std::memcpy(bytes.data(), &header, sizeof header);
  const DynamicsRecord last = {0.5F, 1, 2, 2};
  std::memcpy(bytes.data() + 64 + 3 * 16, &last, sizeof last);
  const auto dynamics = parse_dynamics(bytes);
  ASSERT_EQ(dynamics.epochs.size(), 2U);
  EXPECT_EQ(dynamics.epochs[1][1].prediction, 2);
  const auto refused = [](std::string text) -> std::string {
    try {
      parse_dynamics(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Data);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused(bytes.substr(0, 63)), "dynamics: no header 'NSDYNAM1'");
  EXPECT_EQ(refused(bytes.substr(0, 64 + 40)), "dynamics: 40 bytes after the header are not whole epochs of 2 rows");
  bytes[64 + 12] = 3;
  EXPECT_EQ(refused(bytes), "dynamics: epoch 0 predicts class 3 of 3");
}

// Rows 0 and 3 are fitted at once, row 1 late, row 2 never; before training all of them are wrong.
TEST(LabelAudit, RanksARunByItsMeanMargin) {
  const std::vector<Course> rows = {{{0, 9}, {3, 0}, {4, 0}, {5, 0}},
                                    {{0, 9}, {0, 3}, {0, 2}, {1, 0}},
                                    {{0, 9}, {0, 3}, {0, 4}, {0, 5}},
                                    {{9, 0}, {0, 1}, {0, 2}, {0, 3}}};
  const std::vector<int> labels = {0, 0, 0, 1};
  std::vector<std::vector<DynamicsRecord>> storage;
  auto audit = audit_dynamics({"cat", "dog"}, labels, dynamics_of(rows, labels, storage), {});
  EXPECT_EQ(audit.ranking, (std::vector<int64_t>{2, 1, 3, 0}));
  EXPECT_EQ(audit.issue_count(), 2);
  EXPECT_NEAR(audit.rows[2].score, 1 / (1 + std::exp(4.0)), 1e-6);
  EXPECT_EQ(audit.rows[2].suggested_label, 1);
  EXPECT_EQ(audit.rows[0].suggested_label, -1);
  EXPECT_EQ(
      audit.rows[1].why,
      (std::vector<std::string>{"another class leads by 1.33 logits on average", "predicted as dog in 2 of 3 epochs",
                                "first predicted as labelled in epoch 3 of 3", "mean probability of the label 0.30"}));
  EXPECT_EQ(audit.warnings, (std::vector<std::string>{
                                "class \"dog\" has one row: whether its label is right cannot be told from others of "
                                "its kind"}));
  EXPECT_EQ(suspected_confusion(audit), (CountMatrix{{0, 2}, {0, 0}}));
  audit.true_labels = {0, 1, 1, 1};
  for (const auto& [signal, detection] : detections(audit)) {
    if (signal == "forgetting_events") {
      EXPECT_DOUBLE_EQ(detection.auroc, 0.5);  // nothing was forgotten
    } else if (signal == "mean_margin" || signal == "confidence" || signal == "mean_loss") {
      EXPECT_DOUBLE_EQ(detection.auroc, 1) << signal;
    }
  }
}

TEST(LabelAudit, NeedsATrainedEpoch) {
  std::vector<std::vector<DynamicsRecord>> storage;
  const auto dynamics = dynamics_of({{{0, 1}}}, {0}, storage);
  EXPECT_THROW(audit_dynamics({"cat", "dog"}, std::vector{0}, dynamics, {}), Error);
}

TEST(LabelAudit, SaysWhyProbabilitiesAreSuspicious) {
  const Probabilities p{2, {0.9, 0.1, 0.8, 0.2, 0.05, 0.95, 0.1, 0.9, 0.2, 0.8}};
  const auto audit = audit_probabilities({"cat", "dog"}, std::vector{0, 0, 0, 1, 1}, p, {});
  ASSERT_EQ(audit.issue_count(), 1);
  EXPECT_EQ(audit.ranking.front(), 2);
  const auto& row = audit.rows[2];
  EXPECT_DOUBLE_EQ(row.score, 0.05);
  EXPECT_EQ(row.suggested_label, 1);
  EXPECT_DOUBLE_EQ(row.suggested_probability, 0.95);
  EXPECT_EQ(row.why, (std::vector<std::string>{"predicted as dog with probability 0.95",
                                               "probability of the label 0.05", "confidently of another class"}));
}

TEST(LabelAudit, WarnsOfAClassThatIsSuspiciousAsAWhole) {
  const Probabilities p{2, {0.9, 0.1, 0.8, 0.2, 0.99, 0.01, 0.98, 0.02}};
  const auto audit = audit_probabilities({"cat", "dog"}, std::vector{0, 0, 1, 1}, p, {.filter = "predicted_neq_given"});
  EXPECT_EQ(audit.warnings,
            (std::vector<std::string>{
                "all 2 rows of class \"dog\" are suspicious: the class itself may be misnamed, or was not learned"}));
}

}  // namespace
}  // namespace normscope
