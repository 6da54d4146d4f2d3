// Every query of docs/results.md runs and answers on a small study.
#include <gtest/gtest.h>

#include "core/file.h"
#include "storage/tests_storage.h"

namespace normscope {
namespace {

std::vector<std::string> documented_queries() {
  const std::string text = read_file(NORMSCOPE_SOURCE "/docs/results.md", ErrorKind::Run);
  std::vector<std::string> queries;
  for (size_t at = text.find("```sql\n"); at != std::string::npos; at = text.find("```sql\n", at)) {
    at += 7;
    const size_t end = text.find("```", at);
    queries.push_back(text.substr(at, end - at));
    at = end + 3;
  }
  return queries;
}

void add_run(RunStore& store, const std::string& id, const std::string& selection, double memorization) {
  Run run = example_run(id);
  run.norm_selection = selection;
  store.create_run(run);
  store.set_noisy_rows(id,
                       std::vector<StoredNoisyRow>{{7, 9, "joy", "surprise", "x"}, {3, 4, "fear", "surprise", "y"}});
  for (int64_t epoch = 0; epoch < 3; ++epoch) {
    EpochMetrics row;
    row.epoch = epoch;
    row.test_accuracy = 90;
    row.memorization = memorization * static_cast<double>(epoch) / 2;
    row.recovery = 100 - row.memorization;
    const std::vector<Reading> readings = {{epoch, "test", "gradient_norm", 0, "attention", 0.5},
                                           {epoch, "train", "weight_drift", 0, "attention", 0.1},
                                           {epoch, "memorization", "training_gradient_norm", 0, "attention", 0.6},
                                           {epoch, "train_clean", "training_gradient_norm", 0, "attention", 0.2},
                                           {epoch, "test", "history_learned", std::nullopt, std::nullopt, 75}};
    store.add_epoch(id, row, readings, std::vector<NoisyPrediction>{{7, "joy"}, {3, "surprise"}});
  }
}

class DocumentedQueriesTest : public FreshFolder {};

TEST_F(DocumentedQueriesTest, EachAnswers) {
  auto store = RunStore::open(folder() / "normscope.db");
  add_run(store, "intact", "none", 100);
  add_run(store, "removed", "all", 20);
  const auto queries = documented_queries();
  ASSERT_EQ(queries.size(), 12u);
  for (const auto& sql : queries) EXPECT_FALSE(store.query(sql).empty()) << sql;
  EXPECT_EQ(store.query(queries[2]), (std::vector<std::vector<std::string>>{{"removed", "2", "0.0", "-80.0", "80.0"}}));
  EXPECT_EQ(store.query(queries[3]), (std::vector<std::vector<std::string>>{{"intact", "1"}}));
  EXPECT_EQ(store.query(queries[4])[0], (std::vector<std::string>{"intact", "3", "fear", "surprise", "3", "y"}));
}

TEST_F(DocumentedQueriesTest, HistoriesCountFirstsFlipsAndForgetting) {
  auto store = RunStore::open(folder() / "normscope.db");
  store.create_run(example_run("a"));
  store.set_noisy_rows("a", std::vector<StoredNoisyRow>{{7, 9, "joy", "surprise", "x"}, {3, 4, "fear", "anger", "y"}});
  const std::string of_7[] = {"fear", "surprise", "joy", "surprise", "joy"};
  for (int64_t epoch = 0; epoch < 5; ++epoch) {
    EpochMetrics row;
    row.epoch = epoch;
    store.add_epoch("a", row, {}, std::vector<NoisyPrediction>{{7, of_7[epoch]}, {3, "joy"}});
  }
  EXPECT_EQ(store.query(documented_queries()[5]),
            (std::vector<std::vector<std::string>>{{"a", "3", "", "", "0", "0"}, {"a", "7", "2", "1", "4", "1"}}));
}

TEST_F(DocumentedQueriesTest, EveryMetricIsAColumnOfTheView) {
  auto store = RunStore::open(folder() / "normscope.db");
  add_run(store, "a", "none", 100);
  for (const auto& field : kMetricFields)
    EXPECT_EQ(store.query("SELECT " + std::string(field.name) + " FROM metrics").size(), 3u);
}

}  // namespace
}  // namespace normscope
