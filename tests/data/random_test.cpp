// Python's, NumPy's, pandas' and scikit-learn's draws against the golden lists and fresh reference draws.
#include <gtest/gtest.h>

#include <numeric>

#include "core/error.h"
#include "data/golden.h"
#include "data/numpy_random.h"
#include "data/python_random.h"
#include "data/stratified_split.h"

namespace normscope {
namespace {

std::vector<int64_t> first_numbers(int64_t count, int64_t step = 1) {
  std::vector<int64_t> numbers(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) numbers[static_cast<size_t>(i)] = i * step;
  return numbers;
}

std::vector<int64_t> first_ten(std::vector<int64_t> values) {
  values.resize(10);
  return values;
}

TEST(PythonRandom, EqualsEveryGoldenVector) {
  const auto golden = fixture_json("golden/golden_noise.json", "python_random");
  ASSERT_EQ(golden.size(), 5U);
  for (const auto& entry : golden) {
    const auto seed = entry["seed"].get<int64_t>();
    SCOPED_TRACE(seed);
    PythonRandom bits(seed);
    for (const auto& expected : entry["getrandbits32"]) EXPECT_EQ(bits.getrandbits(32), expected);
    EXPECT_EQ(first_ten(PythonRandom(seed).sample(first_numbers(572), 160)), entry["sample_572_160_first10"]);
    EXPECT_EQ(first_ten(PythonRandom(seed).sample(first_numbers(1600), 160)), entry["sample_1600_160_first10"]);
    EXPECT_EQ(first_ten(PythonRandom(seed).sample(first_numbers(144, 5), 28)), entry["sample_step5_144_28_first10"]);
    PythonRandom chooser(seed);
    for (const auto& expected : entry["choice7_first8"]) EXPECT_EQ(chooser.choice(first_numbers(7)), expected);
    std::vector<int64_t> at_rows;
    for (const int64_t row : {0, 1, 7, 100, 15999})
      at_rows.push_back(PythonRandom(seed + row).choice(first_numbers(5)));
    EXPECT_EQ(at_rows, entry["choice5_at_seed_plus_idx_0_1_7_100_15999"]);
  }
}

TEST(PythonRandom, EqualsPythonForWideSeedsWideBoundsShuffleAndBothBranchesOfSample) {
  for (const auto& entry : fixture_json("data/random_reference.json", "python")) {
    PythonRandom random(entry["seed"].get<int64_t>());
    SCOPED_TRACE(entry["seed"].dump());
    for (const auto& draw : entry["getrandbits"])
      EXPECT_EQ(std::to_string(random.getrandbits(draw[0])), draw[1].get<std::string>());
    for (const auto& draw : entry["randrange"])
      EXPECT_EQ(std::to_string(random.randbelow(std::stoull(draw[0].get<std::string>()))), draw[1].get<std::string>());
    auto values = first_numbers(40);
    random.shuffle(values);
    EXPECT_EQ(values, entry["shuffle_40"]);
    for (const auto& sample : entry["samples"])
      EXPECT_EQ(random.sample(first_numbers(sample[0]), sample[1]), sample[2]) << sample[0] << " " << sample[1];
  }
}

TEST(NumpyRandom, EqualsEveryGoldenVector) {
  const auto golden = fixture_json("golden/golden_noise_text.json", "splits");
  ASSERT_EQ(golden.size(), 2U);
  for (const auto& entry : golden) {
    const auto seed = entry["seed"].get<int64_t>();
    NumpyRandom random(seed);
    EXPECT_EQ(random.choice(50, 20), entry["legacy_choice_50_20_no_replace"]);
    EXPECT_EQ(random.permutation(30), entry["legacy_shuffle_30"]);  // goes on where choice stopped
  }
}

TEST(NumpyRandom, RefusesSeedsThatNumpyRefuses) {
  for (const int64_t seed : {int64_t{-1}, int64_t{1} << 32}) {
    try {
      NumpyRandom random(seed);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), "seed " + std::to_string(seed) + " cannot seed a split: expected 0 to 4294967295");
      EXPECT_EQ(error.kind(), ErrorKind::Usage);
    }
  }
}

TEST(NumpyRandom, PandasSampleEqualsPandas) {
  for (const auto& entry : fixture_json("data/random_reference.json", "pandas"))
    EXPECT_EQ(pandas_sample(entry["rows"], entry["n"], entry["seed"]), entry["index"]) << entry["rows"];
}

TEST(StratifiedSplit, EqualsEveryGoldenSplit) {
  for (const auto& entry : fixture_json("golden/golden_noise_text.json", "splits")) {
    const std::vector<int> labels = entry["labels"];
    const auto num_rows = static_cast<int64_t>(labels.size());
    const auto by_test = stratified_split(labels, sizes_from_test_fraction(num_rows, 0.2), entry["seed"]);
    EXPECT_EQ(by_test.train, entry["stratified_shuffle_split_test_0_2"]["train"]);
    EXPECT_EQ(by_test.test, entry["stratified_shuffle_split_test_0_2"]["test"]);
    const auto by_train = stratified_split(labels, sizes_from_train_fraction(num_rows, 0.8), entry["seed"]);
    EXPECT_EQ(by_train.train, entry["train_test_split_train_0_8"]["train"]);
    EXPECT_EQ(by_train.test, entry["train_test_split_train_0_8"]["test"]);
  }
}

TEST(StratifiedSplit, EqualsScikitLearnWhereRemaindersTie) {
  for (const auto& entry : fixture_json("data/random_reference.json", "splits")) {
    const std::vector<int> labels = entry["labels"];
    const auto num_rows = static_cast<int64_t>(labels.size());
    const double fraction = entry["fraction"];
    const auto split = stratified_split(labels, sizes_from_test_fraction(num_rows, fraction), entry["seed"]);
    EXPECT_EQ(split.train, entry["train"]);
    EXPECT_EQ(split.test, entry["test"]);
    const auto other = stratified_split(labels, sizes_from_train_fraction(num_rows, fraction), entry["seed"]);
    EXPECT_EQ(other.train, entry["train_of_train_size"]);
    EXPECT_EQ(other.test, entry["test_of_train_size"]);
  }
}

TEST(StratifiedSplit, IsDisjointAndCompleteAndKeepsShares) {
  std::vector<int> labels;
  for (int i = 0; i < 1000; ++i) labels.push_back(i % 10 == 0 ? 1 : 0);
  const auto split = stratified_split(labels, sizes_from_test_fraction(1000, 0.1), 5);
  std::vector<int> seen(1000);
  int rare_in_test = 0;
  for (const int64_t row : split.train) ++seen[static_cast<size_t>(row)];
  for (const int64_t row : split.test) {
    ++seen[static_cast<size_t>(row)];
    rare_in_test += labels[static_cast<size_t>(row)];
  }
  EXPECT_EQ(seen, std::vector<int>(1000, 1));
  EXPECT_EQ(rare_in_test, 10);
}

void expect_split_error(const std::vector<int>& labels, double fraction, const std::string& message) {
  try {
    stratified_split(labels, sizes_from_test_fraction(static_cast<int64_t>(labels.size()), fraction), 1);
    FAIL() << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), message);
  }
}

TEST(StratifiedSplit, NamesWhatCannotBeSplit) {
  expect_split_error({0, 0, 0, 1}, 0.5,
                     "class number 1 has one row: a stratified split needs at least two of every class");
  expect_split_error({0, 0, 1, 1, 2, 2}, 0.2,
                     "a stratified split into 4 and 2 rows: expected at least one row of each of the 3 classes on "
                     "both sides");
  expect_split_error({0, 0}, 1.0, "fraction of a split is 1: expected a number between 0 and 1");
}

}  // namespace
}  // namespace normscope
