// Confident learning against what cleanlab 2.9 says of the same labels and probabilities.
#include "measurements/confident_learning.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace normscope {
namespace {

constexpr double kRounding = 1e-12;  // sums in another order

struct Case {
  std::vector<int> labels;
  Probabilities probabilities;
  nlohmann::json expected;
};

std::vector<Case> read_cases(const std::filesystem::path& path) {
  const auto json = nlohmann::json::parse(std::ifstream(path));
  std::vector<Case> cases;
  for (const auto& entry : json["cases"]) {
    auto& next = cases.emplace_back(Case{entry["labels"], {}, entry});
    for (const std::vector<double> row : entry["pred_probs"]) {
      next.probabilities.num_classes = static_cast<int64_t>(row.size());
      next.probabilities.values.insert(next.probabilities.values.end(), row.begin(), row.end());
    }
  }
  return cases;
}

void expect_near(const std::vector<double>& values, const std::vector<double>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], kRounding) << i;
}

void expect_case(const Case& c) {
  const auto& expected = c.expected;
  const auto joint = confident_joint(c.labels, c.probabilities);
  expect_near(joint.thresholds, expected["confident_thresholds"]);
  EXPECT_EQ(joint.confident, expected["confident_joint_uncalibrated"].get<CountMatrix>());
  EXPECT_EQ(joint.calibrated, expected["confident_joint"].get<CountMatrix>());
  const auto latent = estimate_latent_noise(joint, c.labels);
  expect_near(latent.prior, expected["latent"]["prior"]);
  for (size_t i = 0; i < latent.prior.size(); ++i) {
    expect_near(latent.noise[i], expected["latent"]["noise_matrix"][i]);
    expect_near(latent.inverse_noise[i], expected["latent"]["inverse_noise_matrix"][i]);
  }
  for (const auto& row : label_scores()) {
    SCOPED_TRACE(row.name);
    expect_near(row.score(c.labels, c.probabilities), expected["scores"][std::string(row.name)]);
  }
  for (const auto& row : issue_filters()) {
    SCOPED_TRACE(row.name);
    const auto is_issue = row.find(c.labels, c.probabilities, joint);
    std::vector<int64_t> rows;
    for (size_t i = 0; i < is_issue.size(); ++i)
      if (is_issue[i]) rows.push_back(static_cast<int64_t>(i));
    EXPECT_EQ(rows, expected["filters"][std::string(row.name)].get<std::vector<int64_t>>());
  }
  const auto is_issue = find_issue_filter("prune_by_noise_rate").find(c.labels, c.probabilities, joint);
  EXPECT_EQ(ranked_issues(is_issue, find_label_score("self_confidence").score(c.labels, c.probabilities)),
            expected["ranked_by_self_confidence"].get<std::vector<int64_t>>());
}

void expect_file(const std::filesystem::path& path, size_t num_cases) {
  const auto cases = read_cases(path);
  ASSERT_EQ(cases.size(), num_cases);
  for (const auto& c : cases) {
    SCOPED_TRACE(c.labels.size());
    ASSERT_EQ(c.expected["scores"].size(), label_scores().size());
    ASSERT_EQ(c.expected["filters"].size(), issue_filters().size());
    expect_case(c);
  }
}

TEST(ConfidentLearning, EqualsCleanlab) { expect_file(NORMSCOPE_FIXTURES "/audit/cases.json", 4); }

// A class without rows, one with a single row, one that is all wrong, probabilities of 0 and 1, counts whose rounding
// is a tie.
TEST(ConfidentLearning, EqualsCleanlabAtTheEdges) { expect_file(NORMSCOPE_FIXTURES "/audit/edge_cases.json", 9); }

TEST(ConfidentLearning, NamesUnknownFiltersAndScores) {
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message([] { find_issue_filter("prune_by_clas"); }),
            "the filter is \"prune_by_clas\"; known: prune_by_noise_rate, prune_by_class, both, confident_learning, "
            "predicted_neq_given, low_normalized_margin, low_self_confidence; did you mean \"prune_by_class\"?");
  EXPECT_EQ(message([] { find_label_score("margin"); }),
            "the score is \"margin\"; known: self_confidence, normalized_margin, confidence_weighted_entropy");
}

TEST(Probabilities, SoftmaxSumsToOneAndKeepsDifferences) {
  const auto p = softmax({2, {1000, 1001, -3, -3}});
  EXPECT_NEAR(p.row(0)[1] / p.row(0)[0], std::exp(1.0), 1e-12);
  EXPECT_DOUBLE_EQ(p.row(0)[0] + p.row(0)[1], 1);
  EXPECT_DOUBLE_EQ(p.row(1)[0], 0.5);
}

}  // namespace
}  // namespace normscope
