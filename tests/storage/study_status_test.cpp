// What status says of runs, and its estimates of time.
#include "storage/study_status.h"

#include <gtest/gtest.h>

#include <cmath>

#include "storage/claims.h"
#include "storage/tests_storage.h"

namespace normscope {
namespace {

using Json = nlohmann::ordered_json;

class StudyStatusTest : public FreshFolder {
 protected:
  void add_run(const std::string& id, int64_t epochs, int64_t trained, double seconds) {
    auto run = example_run(id);
    run.epochs = epochs;
    store_.create_run(run);
    for (int64_t epoch = 0; epoch <= trained && trained > 0; ++epoch) {
      EpochMetrics row;
      row.epoch = epoch;
      row.seconds = epoch == 0 ? 1000 : seconds;  // before training: counts in no estimate
      row.test_accuracy = 50 + static_cast<double>(epoch);
      store_.add_epoch(id, row);
    }
  }
  RunStore store_ = RunStore::open(folder() / "normscope.db");
};

TEST_F(StudyStatusTest, FollowsTheContract) {
  add_run("a", 10, 1, 8);
  add_run("b", 4, 0, 0);
  store_.set_state("a", RunState::Running);
  auto claim = claim_run(store_, store_.run("a"));
  const auto status = status_json(study_status(store_));
  EXPECT_EQ(status["done"], 0);
  EXPECT_EQ(status["total"], 2);
  EXPECT_EQ(status["jobs"], 1);
  EXPECT_EQ(status["eta_seconds"], 8 * 9 + 8 * 4);  // a has 9 epochs left, b 4; both at a's 8 s
  EXPECT_EQ(Json(status["runs"][0]),
            Json::parse(R"({"id": "a", "state": "running", "epoch": 1, "epochs": 10, "test_accuracy": 51.0,
                            "memorization": null, "seconds_per_epoch": 8.0, "eta_seconds": 72.0})"));
  EXPECT_EQ(status["runs"][1]["state"], "waiting");
  EXPECT_TRUE(status["runs"][1]["seconds_per_epoch"].is_null());
  claim.reset();
  EXPECT_EQ(status_json(study_status(store_))["runs"][0]["state"], "waiting") << "whoever trained it is gone";
}

TEST_F(StudyStatusTest, RunsAtOnceShareTheTime) {
  add_run("a", 11, 1, 2);  // 20 s left
  add_run("b", 6, 1, 2);   // 10 s
  add_run("c", 4, 0, 0);   // 8 s, begins when b ends
  std::vector<FileLock> claims;
  for (const char* id : {"a", "b"}) {
    store_.set_state(id, RunState::Running);
    claims.push_back(std::move(*claim_run(store_, store_.run(id))));
  }
  EXPECT_EQ(study_status(store_).seconds_left, 20);
  claims.clear();
  EXPECT_EQ(study_status(store_).seconds_left, 38);
}

TEST_F(StudyStatusTest, NothingTimedMeansNoEstimate) {
  add_run("a", 10, 0, 0);
  EXPECT_TRUE(std::isnan(study_status(store_).seconds_left));
  EXPECT_TRUE(status_json(study_status(store_))["eta_seconds"].is_null());
  store_.set_state("a", RunState::Done);
  EXPECT_EQ(study_status(store_).done, 1);
  EXPECT_EQ(study_status(store_).seconds_left, 0);
}

TEST_F(StudyStatusTest, AFailedRunHasItsErrorAndNoTimeLeft) {
  add_run("a", 10, 2, 5);
  store_.set_state("a", RunState::Failed, "the loss became inf");
  const auto status = status_json(study_status(store_));
  EXPECT_EQ(status["runs"][0]["error"], "the loss became inf");
  EXPECT_EQ(status["runs"][0]["eta_seconds"], 0);
  EXPECT_EQ(status["eta_seconds"], 0);
}

}  // namespace
}  // namespace normscope
