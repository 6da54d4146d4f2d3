// Estimates follow what is counted: epochs, rows, evaluations. How long a step takes is the machine's.
#include "experiments/estimate.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace normscope {
namespace {

class EstimateTest : public testing::Test {
 protected:
  EstimateTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "normscope_test_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    run_.recipe.model.checkpoint = NORMSCOPE_FIXTURES "/checkpoints/tiny_bert";
    run_.recipe.data.train = write("train.csv", 40);
    run_.recipe.data.test = write("test.csv", 10);
    run_.recipe.data.max_length = 16;
    run_.recipe.training.batch_size = 8;
  }
  ~EstimateTest() override { std::filesystem::remove_all(folder_); }

  std::string write(const char* name, int rows) const {
    std::ofstream file(folder_ / name);
    file << "text,label\n";
    for (int i = 0; i < rows; ++i) file << "net " << i << " of sound," << (i % 2 == 0 ? "net" : "sound") << "\n";
    return (folder_ / name).string();
  }
  double seconds(int64_t epochs, int64_t train_eval_every = 1) {
    run_.recipe.training.epochs = epochs;
    run_.recipe.measure.train_eval_every = train_eval_every;
    return estimator_.estimate(run_).seconds;
  }

  std::filesystem::path folder_;
  RunRecipe run_;
  Estimator estimator_{1};
};

TEST_F(EstimateTest, IsLinearInEpochs) {
  const double ten = seconds(10), twenty = seconds(20), forty = seconds(40);
  EXPECT_GT(ten, 0);
  EXPECT_NEAR((forty - twenty) / (twenty - ten), 2, 1e-9);
}

TEST_F(EstimateTest, RarerEvaluationsOfTheTrainingRowsTakeLess) {
  EXPECT_LT(seconds(10, 5), seconds(10, 1));
  EXPECT_LT(seconds(10, 0), seconds(10, 5));
}

TEST_F(EstimateTest, MemoryHoldsTheParametersAndTheirMoments) {
  const auto weights = std::filesystem::file_size(NORMSCOPE_FIXTURES "/checkpoints/tiny_bert/model.safetensors");
  EXPECT_GT(estimator_.estimate(run_).memory_bytes, static_cast<int64_t>(4 * weights));
}

TEST_F(EstimateTest, WritesNothing) {
  seconds(1);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 2);
}

TEST_F(EstimateTest, MissingDataIsTheRunsOwnError) {
  run_.recipe.data.train = "absent.csv";
  try {
    seconds(1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Data);
    EXPECT_NE(std::string(error.what()).find("absent.csv"), std::string::npos);
  }
}

}  // namespace
}  // namespace normscope
