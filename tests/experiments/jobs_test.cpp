// How cores are divided between runs.
#include "experiments/jobs.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>
#include <filesystem>

#include "core/error.h"

namespace normscope {
namespace {

std::vector<RunRecipe> runs_of_bert(size_t count) {
  RunRecipe run;
  run.recipe.model.checkpoint = NORMSCOPE_FIXTURES "/models/bert";
  return std::vector<RunRecipe>(count, run);
}

class JobsTest : public testing::Test {
 protected:
  JobsTest() { ::setenv("OMP_NUM_THREADS", "4", 1); }  // usable_cores() goes by it
  ~JobsTest() override { ::unsetenv("OMP_NUM_THREADS"); }
};

TEST_F(JobsTest, OneThreadARunWhereThereAreAsManyRunsAsCores) {
  EXPECT_EQ(choose_threads(runs_of_bert(4), "cpu", 0), 1);
  EXPECT_EQ(choose_threads(runs_of_bert(3), "cpu", 0), 4);
  EXPECT_EQ(choose_threads(runs_of_bert(9), "cuda:0", 0), 4);
}

TEST_F(JobsTest, CoresAreDividedBetweenTheJobsThatWereAskedFor) {
  EXPECT_EQ(choose_threads(runs_of_bert(9), "cpu", 2), 2);
  EXPECT_EQ(choose_threads(runs_of_bert(9), "cpu", 3), 1);
  EXPECT_EQ(choose_threads(runs_of_bert(9), "cpu", 100), 1);
  EXPECT_EQ(choose_threads(runs_of_bert(1), "cpu", 4), 4);
}

TEST_F(JobsTest, JobsFollowFromTheThreads) {
  EXPECT_EQ(choose_jobs(runs_of_bert(9), "cpu", 1), 4);
  EXPECT_EQ(choose_jobs(runs_of_bert(9), "cpu", 2), 2);
  EXPECT_EQ(choose_jobs(runs_of_bert(9), "cpu", 8), 1);
  EXPECT_EQ(choose_jobs(runs_of_bert(2), "cpu", 1), 2);
  EXPECT_EQ(choose_jobs(runs_of_bert(9), "cuda:0", 1), 1);
}

TEST_F(JobsTest, MemoryCountsEveryParameterFiveTimes) {
  const auto one = training_memory(runs_of_bert(1));
  EXPECT_EQ(one, training_memory(runs_of_bert(7)));
  const auto bytes = std::filesystem::file_size(NORMSCOPE_FIXTURES "/models/bert/model.safetensors");
  EXPECT_GT(one, 300'000'000);
  EXPECT_LT(one, 300'000'000 + static_cast<int64_t>(5 * bytes));
}

// A random start needs no weights; by its sizes alone a model of BERT's shape has about as many parameters.
TEST_F(JobsTest, MemoryOfARandomStartFollowsFromTheConfig) {
  namespace fs = std::filesystem;
  std::string pattern = (fs::temp_directory_path() / "normscope_test_XXXXXX").string();
  const fs::path folder = mkdtemp(pattern.data());
  fs::copy_file(NORMSCOPE_FIXTURES "/models/bert/config.json", folder / "config.json");
  auto runs = runs_of_bert(1);
  const auto published = training_memory(runs) - training_memory({});
  runs[0].recipe.model.checkpoint = folder.string();
  EXPECT_THROW(training_memory(runs), Error);
  runs[0].recipe.model.start = "random";
  const auto estimated = training_memory(runs) - training_memory({});
  EXPECT_GT(estimated, published / 2);
  EXPECT_LT(estimated, published * 2);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace normscope
