// What workers write is what the study's process is told.
#include "experiments/worker_messages.h"

#include <gtest/gtest.h>

#include <cmath>

namespace normscope {
namespace {

class Recorder : public Progress {
 public:
  void note(const std::string& run, const std::string& text) override { said.push_back("note " + run + ": " + text); }
  void run_started(const std::string& run, int64_t index, int64_t total, int64_t epochs) override {
    said.push_back("started " + run + " " + std::to_string(index) + "/" + std::to_string(total) + " " +
                   std::to_string(epochs));
  }
  void step(const std::string& run, int64_t epoch, int64_t rows, int64_t rows_in_epoch, double loss) override {
    said.push_back("step " + run + " " + std::to_string(epoch) + " " + std::to_string(rows) + "/" +
                   std::to_string(rows_in_epoch));
    last_loss = loss;
  }
  void epoch_finished(const std::string& run, const EpochMetrics& metrics) override {
    said.push_back("epoch " + run);
    last_metrics = metrics;
  }
  void run_ended(const std::string& run) override { said.push_back("ended " + run); }

  std::vector<std::string> said;
  double last_loss = 0;
  EpochMetrics last_metrics;
};

TEST(WorkerMessages, ProgressArrivesAsItWasTold) {
  Recorder recorder;
  ProgressLines lines([&](const std::string& line) {
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_FALSE(read_worker_line(line, recorder));
  });
  EpochMetrics metrics;
  metrics.epoch = 3;
  metrics.train_loss = 0.1;
  metrics.test_accuracy = 100.0 / 3;
  lines.note("a", "two\nlines, \"quoted\" and a bad byte \xff");
  lines.run_started("a", 1, 4, 40);
  lines.step("a", 2, 16, 84, 0.123456789012345678);
  lines.step("a", 2, 32, 84, 0.5);  // too soon after the first to be worth a line
  lines.epoch_finished("a", metrics);
  lines.run_ended("a");
  EXPECT_EQ(recorder.said, (std::vector<std::string>{"note a: two\nlines, \"quoted\" and a bad byte \xef\xbf\xbd",
                                                     "started a 1/4 40", "step a 2 16/84", "epoch a", "ended a"}));
  EXPECT_EQ(recorder.last_loss, 0.123456789012345678);
  EXPECT_EQ(recorder.last_metrics.epoch, 3);
  EXPECT_EQ(recorder.last_metrics.train_loss, 0.1);
  EXPECT_EQ(recorder.last_metrics.test_accuracy, 100.0 / 3);
  EXPECT_TRUE(std::isnan(recorder.last_metrics.memorization));
}

TEST(WorkerMessages, TasksAndAnswersComeBack) {
  const auto task = task_from_line(to_line(WorkerTask{"name = \"x\"\n", "/a b/x.toml", "/out"}));
  EXPECT_EQ(task.recipe, "name = \"x\"\n");
  EXPECT_EQ(task.origin, "/a b/x.toml");
  EXPECT_EQ(task.folder, "/out");
  Recorder recorder;
  const auto answer = read_worker_line(
      to_line(WorkerAnswer{{RunOutcome::Refused, "train.csv:3: bad", ErrorKind::Data}, true}), recorder);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->result.outcome, RunOutcome::Refused);
  EXPECT_EQ(answer->result.error, "train.csv:3: bad");
  EXPECT_EQ(answer->result.kind, ErrorKind::Data);
  EXPECT_TRUE(answer->is_last);
}

TEST(WorkerMessages, WhatALibraryPrintsIsPassedOver) {
  Recorder recorder;
  for (const char* line : {"", "warning: something", "[1]", "{\"half\": "})
    EXPECT_FALSE(read_worker_line(line, recorder)) << line;
  EXPECT_TRUE(recorder.said.empty());
}

}  // namespace
}  // namespace normscope
