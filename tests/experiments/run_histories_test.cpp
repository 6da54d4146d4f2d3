// The sets of rows whose course a run keeps, and a run that goes on against one that was never stopped.
#include "experiments/run_histories.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "experiments/dynamics_file.h"

namespace normscope {
namespace {

// Rows 0-3 are of class 0, 4 and 5 of class 1; row 1 was given class 1. Two test rows.
PreparedData data() {
  PreparedData data;
  data.true_labels = {0, 0, 0, 0, 1, 1};
  data.given_labels = {0, 1, 0, 0, 1, 1};
  data.noise.rows = {{1, 1, 1, 0}};
  auto test = std::make_shared<TokenRows>();
  test->labels = {0, 1};
  data.test_tokens = test;
  return data;
}

Logits logits_saying(const std::vector<int>& predictions) {
  Logits logits;
  logits.num_classes = 2;
  for (const int prediction : predictions) {
    logits.values.push_back(prediction == 0);
    logits.values.push_back(prediction == 1);
  }
  return logits;
}

const std::vector<std::vector<int>> kTrain = {{0, 0, 0, 1, 0, 1}, {0, 1, 0, 0, 1, 1}, {0, 0, 1, 0, 1, 1}};
const std::vector<std::vector<int>> kTest = {{1, 1}, {0, 1}, {0, 0}};

std::map<std::string, double> values_of(const RunHistories& histories) {
  std::map<std::string, double> values;
  for (const auto& reading : histories.readings())
    values[reading.split + " " + reading.metric.substr(sizeof "history_" - 1)] = reading.value;
  return values;
}

TEST(RunHistories, FollowEverySetByItsOwnLabels) {
  RunHistories histories(data());
  for (size_t e = 0; e < kTrain.size(); ++e)
    histories.follow(static_cast<int64_t>(e) + 1, logits_saying(kTrain[e]), logits_saying(kTest[e]));
  const auto values = values_of(histories);
  EXPECT_EQ(values.at("memorization first_learned_epoch"), 2);
  EXPECT_EQ(values.at("memorization forgetting_events"), 1);
  EXPECT_EQ(values.at("memorization learned"), 0);
  EXPECT_EQ(values.at("noisy_true first_learned_epoch"), 1);
  EXPECT_EQ(values.at("noisy_true learned"), 100);
  EXPECT_NEAR(values.at("clean_siblings learned"), 200.0 / 3, 1e-12) << "rows 0, 2 and 3";
  EXPECT_NEAR(values.at("clean_siblings first_learned_epoch"), 4.0 / 3, 1e-12);
  EXPECT_EQ(values.at("test ever_learned"), 100);
  EXPECT_EQ(values.at("test learned"), 50);
}

TEST(RunHistories, GoOnFromTheFilesAsIfNeverStopped) {
  const auto prepared = data();
  const auto folder = std::filesystem::path(testing::TempDir()) / ("normscope_histories_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  RunHistories whole(prepared), resumed(prepared), without_test(prepared);
  write_dynamics(folder / "dynamics.bin", 0, logits_saying({1, 1, 1, 1, 1, 1}), prepared.given_labels);
  write_dynamics(folder / "test_dynamics.bin", 0, logits_saying({0, 1}), prepared.test_tokens->labels);
  for (size_t e = 0; e < kTrain.size(); ++e) {
    const auto train = logits_saying(kTrain[e]), test = logits_saying(kTest[e]);
    whole.follow(static_cast<int64_t>(e) + 1, train, test);
    write_dynamics(folder / "dynamics.bin", static_cast<int64_t>(e) + 1, train, prepared.given_labels);
    write_dynamics(folder / "test_dynamics.bin", static_cast<int64_t>(e) + 1, test, prepared.test_tokens->labels);
  }
  resumed.replay(folder, 2);  // the files are an epoch ahead of the state
  resumed.follow(3, logits_saying(kTrain[2]), logits_saying(kTest[2]));
  EXPECT_EQ(values_of(resumed), values_of(whole));

  std::filesystem::remove(folder / "test_dynamics.bin");
  without_test.replay(folder, 3);
  const auto values = values_of(without_test);
  EXPECT_FALSE(values.contains("test learned")) << "what is not known is not told";
  EXPECT_EQ(values.at("noisy_true learned"), 100);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace normscope
