// Runs that a changed recipe drops, renames and adds.
#include <gtest/gtest.h>

#include "storage/tests_storage.h"

namespace normscope {
namespace {

std::vector<std::string> ids(const std::vector<Run>& runs) {
  std::vector<std::string> ids;
  for (const auto& run : runs) ids.push_back(run.id);
  return ids;
}

class ChangeStudyTest : public FreshFolder {
 protected:
  ChangeStudyTest() {
    store_.create_study({"old", 1, "cpu", "float32", "", "", "", ""});
    for (const char* id : {"a", "b", "c"}) {
      store_.create_run(example_run(id));
      store_.set_noisy_rows(id, std::vector<StoredNoisyRow>{{7, 9, "joy", "surprise", "x"}});
      EpochMetrics row;
      row.test_accuracy = 50;
      store_.add_epoch(id, row, std::vector<Reading>{{0, "test", "sigma", 0, "attention", 1}},
                       std::vector<NoisyPrediction>{{7, "joy"}});
    }
  }
  int64_t number(const std::string& id) const { return store_.run(id).number; }

  RunStore store_ = RunStore::open(folder() / "normscope.db");
};

TEST_F(ChangeStudyTest, DropsRenamesAndAddsAtOnce) {
  const auto a = number("a"), b = number("b"), c = number("c");
  const auto added = example_run("d");
  store_.change_study("new", std::vector<RunStore::Place>{{a, "b", false}, {b, "a", false}, {c, "c~1", true}},
                      {&added, 1});
  EXPECT_EQ(store_.find_study()->recipe, "new");
  EXPECT_EQ(ids(store_.runs()), (std::vector<std::string>{"b", "a", "d"}));
  EXPECT_EQ(ids(store_.dropped_runs()), std::vector<std::string>{"c~1"});
  EXPECT_EQ(number("b"), a) << "runs may take each other's ids";
  EXPECT_NE(store_.dropped_runs()[0].dropped, "");
  EXPECT_EQ(store_.metrics("c~1").size(), 1u) << "nothing is deleted";
  for (const char* view : {"metrics", "final_metrics", "norm_readings", "noisy_outcomes"})
    EXPECT_EQ(store_.query(std::string("SELECT DISTINCT run FROM ") + view + " ORDER BY run"),
              (std::vector<std::vector<std::string>>{{"a"}, {"b"}}))
        << view;
  store_.change_study("old", std::vector<RunStore::Place>{{a, "a"}, {b, "b"}, {c, "c"}, {number("d"), "d~1", true}},
                      {});
  EXPECT_EQ(ids(store_.runs()), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(store_.run("c").dropped, "");
}

TEST_F(ChangeStudyTest, IsAllOrNothing) {
  const auto a = number("a"), b = number("b"), c = number("c");
  const auto taken = example_run("a");
  EXPECT_THROW(
      store_.change_study("new", std::vector<RunStore::Place>{{a, "a"}, {b, "b"}, {c, "c~1", true}}, {&taken, 1}),
      Error);
  EXPECT_EQ(store_.find_study()->recipe, "old");
  EXPECT_EQ(ids(store_.runs()), (std::vector<std::string>{"a", "b", "c"}));
}

}  // namespace
}  // namespace normscope
