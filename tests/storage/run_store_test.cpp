// The database gives back what was put in, survives a resumed run, and says plainly why it cannot be used.
#include "storage/run_store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <thread>

#include "core/file.h"
#include "storage/database.h"
#include "storage/tests_storage.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

std::string error_of(const std::function<void()>& action, ErrorKind kind) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "no error";
}

class RunStoreTest : public FreshFolder {
 protected:
  fs::path path_ = folder() / "normscope.db";
};

TEST_F(RunStoreTest, GivesBackStudyAndRun) {
  {
    auto store = RunStore::open(path_);
    EXPECT_FALSE(store.find_study());
    const auto study = store.create_study({"name = 'a'\n", 4, "cpu", "float32", "", "0.1.0", "2 cores", "clean"});
    EXPECT_EQ(study.created.size(), 20u);
    EXPECT_EQ(study.created.back(), 'Z');
    store.create_run(example_run("first"));
    store.create_run(example_run("second"));
  }
  const auto store = RunStore::open(path_);
  const auto study = *store.find_study();
  EXPECT_EQ(study.recipe, "name = 'a'\n");
  EXPECT_EQ(study.threads, 4);
  EXPECT_EQ(study.precision, "float32");
  const auto run = store.run("second");
  const auto expected = example_run("second");
  EXPECT_EQ(run.name, expected.name);
  EXPECT_EQ(run.seed, expected.seed);
  EXPECT_EQ(run.epochs, expected.epochs);
  EXPECT_EQ(run.norm_selection, "all");
  EXPECT_FALSE(run.is_intact());
  EXPECT_EQ(run.recipe, expected.recipe);
  EXPECT_EQ(to_json(run.facts), to_json(expected.facts));
  EXPECT_EQ(run.facts.removed_norms, expected.facts.removed_norms);
  ASSERT_EQ(store.runs().size(), 2u);
  EXPECT_EQ(store.runs()[0].id, "first");
  EXPECT_FALSE(store.find_run("third"));
}

TEST_F(RunStoreTest, TheFirstStudyStays) {
  auto store = RunStore::open(path_);
  store.create_study({"one", 4, "cpu", "float32", "2026-01-01T00:00:00Z", "0.1.0", "", ""});
  const auto kept = store.create_study({"two", 8, "cuda", "bfloat16", "", "0.2.0", "", ""});
  EXPECT_EQ(kept.recipe, "one");
  EXPECT_EQ(kept.threads, 4);
  EXPECT_EQ(kept.created, "2026-01-01T00:00:00Z");
}

TEST_F(RunStoreTest, StatesSetTheirTimes) {
  auto store = RunStore::open(path_);
  store.create_run(example_run("a"));
  EXPECT_EQ(store.run("a").started, "");
  store.set_state("a", RunState::Running);
  const auto started = store.run("a").started;
  EXPECT_EQ(started.size(), 20u);
  store.set_state("a", RunState::Failed, "loss is not a number at epoch 3");
  EXPECT_EQ(store.run("a").error, "loss is not a number at epoch 3");
  EXPECT_EQ(store.run("a").finished.size(), 20u);
  store.set_state("a", RunState::Running);
  EXPECT_EQ(store.run("a").error, "");
  EXPECT_EQ(store.run("a").finished, "");
  EXPECT_EQ(store.run("a").started, started);
}

TEST_F(RunStoreTest, MetricsComeBackExactly) {
  auto store = RunStore::open(path_);
  store.create_run(example_run("a"));
  EpochMetrics row;
  row.epoch = 3;
  double value = 0.1;
  for (const auto& field : kMetricFields) row.*field.member = value *= 1.7;
  row.validation_loss = kUndefined;
  row.noisy_loss = std::numeric_limits<double>::infinity();
  store.add_epoch("a", row);
  const auto rows = store.metrics("a");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].epoch, 3);
  for (const auto& field : kMetricFields) {
    const double expected = row.*field.member, found = rows[0].*field.member;
    EXPECT_TRUE(expected == found || (std::isnan(expected) && std::isnan(found))) << field.name;
  }
  EXPECT_EQ(store.run("a").epoch, 3);
}

TEST_F(RunStoreTest, AResumedRunReplacesItsEpochs) {
  auto store = RunStore::open(path_);
  store.create_run(example_run("a"));
  store.create_run(example_run("b"));
  const std::vector<StoredNoisyRow> noisy = {{7, 9, "joy", "surprise", "so happy"}, {2, 3, "fear", "surprise", "boo"}};
  store.set_noisy_rows("a", noisy);
  const std::vector<Reading> readings = {{0, "test", "gradient_norm", 0, "attention", 0.25},
                                         {0, "test", "gradient_norm", std::nullopt, "embedding", 0.5},
                                         {0, "test", "kappa", std::nullopt, std::nullopt, 2},
                                         {0, "test", "undefined", 1, "attention", kUndefined}};
  for (int64_t epoch = 0; epoch <= 4; ++epoch) {
    EpochMetrics row;
    row.epoch = epoch;
    row.test_accuracy = 50.0 + static_cast<double>(epoch);
    const std::vector<NoisyPrediction> predicted = {{2, "fear"}, {7, epoch < 2 ? "surprise" : "anger"}};
    store.add_epoch("a", row, readings, predicted);
    store.add_epoch("b", row);
  }
  EpochMetrics again;
  again.epoch = 3;
  again.test_accuracy = 99;
  store.add_epoch("a", again);
  const auto rows = store.metrics("a");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[2].test_accuracy, 52);
  EXPECT_EQ(rows[3].test_accuracy, 99);
  EXPECT_EQ(store.metrics("b").size(), 5u);
  EXPECT_EQ(store.run("a").epoch, 3);

  const auto kept = store.norm_readings("a");
  ASSERT_EQ(kept.size(), 9u);  // 3 an epoch, 3 epochs
  EXPECT_EQ(kept[0].role, "attention");
  EXPECT_EQ(kept[0].layer, 0);
  EXPECT_EQ(kept[0].value, 0.25);

  const auto predictions = store.noisy_predictions("a");
  ASSERT_EQ(predictions.size(), 3u);
  EXPECT_EQ(predictions[0].labels, (std::vector<std::string>{"surprise", "fear"}));  // in drawn order
  EXPECT_EQ(predictions[2].labels, (std::vector<std::string>{"anger", "fear"}));
  EXPECT_EQ(store.query("SELECT outcome, count(*) FROM noisy_outcomes GROUP BY 1 ORDER BY 1"),
            (std::vector<std::vector<std::string>>{{"memorized", "3"}, {"other", "1"}, {"recovered", "2"}}));
}

TEST_F(RunStoreTest, SettingTheSameNoisyRowsKeepsPredictions) {
  auto store = RunStore::open(path_);
  store.create_run(example_run("a"));
  std::vector<StoredNoisyRow> noisy = {{7, 9, "joy", "surprise", "x"}, {2, 3, "fear", "surprise", "y"}};
  store.set_noisy_rows("a", noisy);
  const std::vector<NoisyPrediction> predicted = {{7, "joy"}, {2, "joy"}};
  store.add_epoch("a", {}, {}, predicted);
  store.set_noisy_rows("a", noisy);
  ASSERT_EQ(store.noisy_predictions("a").size(), 1u);
  noisy.erase(noisy.begin());
  store.set_noisy_rows("a", noisy);
  EXPECT_EQ(store.noisy_rows("a").size(), 1u);
  EXPECT_EQ(store.noisy_predictions("a")[0].labels, std::vector<std::string>{"joy"});
}

TEST_F(RunStoreTest, AFailedEpochLeavesTheLastOne) {
  auto store = RunStore::open(path_);
  store.create_run(example_run("a"));
  EpochMetrics row;
  row.test_accuracy = 1;
  store.add_epoch("a", row);
  const std::vector<NoisyPrediction> of_no_row = {{5, "joy"}};
  row.test_accuracy = 2;
  const auto message = error_of([&] { store.add_epoch("a", row, {}, of_no_row); }, ErrorKind::Run);
  EXPECT_NE(message.find("FOREIGN KEY"), std::string::npos) << message;
  EXPECT_EQ(store.metrics("a").at(0).test_accuracy, 1);
}

TEST_F(RunStoreTest, AKilledWriterLeavesWholeEpochs) {
  const pid_t child = fork();
  if (child == 0) {
    auto store = RunStore::open(path_);
    store.create_run(example_run("a"));
    for (int64_t epoch = 0; epoch < 5; ++epoch) {
      EpochMetrics row;
      row.epoch = epoch;
      row.test_accuracy = row.test_loss = 1;
      store.add_epoch("a", row);
    }
    Database other(path_, Database::Access::Write, 100);
    other.execute("BEGIN IMMEDIATE");
    other.execute("DELETE FROM readings WHERE metric = 'loss'");
    _exit(0);  // as a kill would: nothing is closed or committed
  }
  ASSERT_EQ(waitpid_status(child), 0);
  const auto store = RunStore::open(path_);
  ASSERT_EQ(store.metrics("a").size(), 5u);
  EXPECT_EQ(store.metrics("a")[4].test_loss, 1);
  EXPECT_EQ(store.query("PRAGMA integrity_check")[0][0], "ok");
}

TEST_F(RunStoreTest, TwoWritersWaitForEachOther) {
  { auto store = RunStore::open(path_); }
  const auto work = [&](const std::string& id) {
    auto store = RunStore::open(path_);
    store.create_run(example_run(id));
    for (int64_t epoch = 0; epoch < 20; ++epoch) {
      EpochMetrics row;
      row.epoch = epoch;
      row.test_accuracy = 1;
      store.add_epoch(id, row);
    }
  };
  std::thread other(work, "b");
  work("a");
  other.join();
  const auto store = RunStore::open_read_only(path_);
  EXPECT_EQ(store.metrics("a").size(), 20u);
  EXPECT_EQ(store.metrics("b").size(), 20u);
}

TEST_F(RunStoreTest, SaysWhoIsKnown) {
  auto store = RunStore::open(path_);
  store.create_run(example_run("a"));
  store.create_run(example_run("b"));
  EXPECT_EQ(error_of([&] { store.run("c"); }, ErrorKind::Usage),
            path_.string() + ": expected one of the runs a, b, found 'c'");
  EXPECT_EQ(error_of([&] { store.metrics("c"); }, ErrorKind::Usage),
            path_.string() + ": expected one of the runs a, b, found 'c'");
  EXPECT_EQ(error_of([&] { store.create_run(example_run("a")); }, ErrorKind::Usage),
            path_.string() + ": run a exists already");
}

TEST_F(RunStoreTest, SaysThatItIsLocked) {
  auto store = RunStore::open(path_, 50);
  store.create_run(example_run("a"));
  Database holder(path_, Database::Access::Write, 50);
  holder.execute("BEGIN IMMEDIATE");
  EXPECT_EQ(
      error_of([&] { store.add_epoch("a", {}); }, ErrorKind::Run),
      path_.string() + ": locked by another program for more than 0.05 s; close what has it open and start again");
  EXPECT_EQ(store.runs().size(), 1u) << "readers are not held up";
}

TEST_F(RunStoreTest, RefusesForeignFiles) {
  write_file_atomically(path_, "this is a text file and long enough to be looked at as a header of a database\n");
  EXPECT_EQ(error_of([&] { RunStore::open(path_); }, ErrorKind::Data),
            path_.string() + ": expected a normscope database, found another kind of file");
  const auto foreign = folder() / "foreign.db";
  { SQLite::Database(foreign, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE t (x)"); }
  const std::string message = foreign.string() + ": expected a normscope database, found a database of another program";
  EXPECT_EQ(error_of([&] { RunStore::open(foreign); }, ErrorKind::Data), message);
  EXPECT_EQ(error_of([&] { RunStore::open_read_only(foreign); }, ErrorKind::Data), message);
  EXPECT_EQ(error_of([&] { RunStore::open_read_only(folder() / "absent.db"); }, ErrorKind::Usage),
            (folder() / "absent.db").string() + ": no study database there");
  EXPECT_EQ(error_of([&] { RunStore::open(folder()); }, ErrorKind::Usage),
            folder().string() + ": expected a database file, found a folder");
  EXPECT_FALSE(fs::exists(folder() / "absent.db"));
}

TEST_F(RunStoreTest, RefusesANewerSchema) {
  { auto store = RunStore::open(path_); }
  { SQLite::Database(path_, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99"); }
  EXPECT_EQ(error_of([&] { RunStore::open(path_); }, ErrorKind::Data),
            path_.string() + ": written by a newer normscope (schema 99, this one reads up to 2)");
}

TEST_F(RunStoreTest, SaysThatItIsDamaged) {
  {
    auto store = RunStore::open(path_);
    store.create_run(example_run("a"));
  }
  auto bytes = read_file(path_, ErrorKind::Run);
  for (size_t i = 4096; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31);
  write_file_atomically(path_, bytes);
  const auto message = error_of([&] { RunStore::open(path_).runs(); }, ErrorKind::Data);
  EXPECT_NE(message.find(": the database is damaged ("), std::string::npos) << message;
}

TEST_F(RunStoreTest, ReadsFromAFolderThatMayNotBeWritten) {
  {
    auto store = RunStore::open(path_);
    store.create_run(example_run("a"));
  }
  fs::permissions(folder(), fs::perms(0555));
  fs::permissions(path_, fs::perms(0444));
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && seteuid(65534) != 0) _exit(2);  // root may write everywhere
    try {
      _exit(RunStore::open_read_only(path_).runs().size() == 1 ? 0 : 3);
    } catch (const Error& error) {
      fputs(error.what(), stderr);
      _exit(4);
    }
  }
  EXPECT_EQ(waitpid_status(child), 0);
  fs::permissions(folder(), fs::perms(0755));
}

}  // namespace
}  // namespace normscope
