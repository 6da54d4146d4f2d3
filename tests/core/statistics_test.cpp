// Statistics equal SciPy's and statsmodels' (tests/fixtures/statistics.json,
// tests/reference/statistics_reference.py).
#include "core/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/file.h"

namespace normscope {
namespace {

using Json = nlohmann::json;

const Json& reference() {
  static const Json json = Json::parse(read_file(NORMSCOPE_FIXTURES "/statistics.json", ErrorKind::Run));
  return json;
}

std::vector<double> numbers(const Json& json) { return json.get<std::vector<double>>(); }

// Relative where the expected value is large, absolute near 0; 1e-9 leaves room for either side's rounding.
void expect_close(double found, double expected, const std::string& what) {
  EXPECT_NEAR(found, expected, 1e-9 * std::max(1.0, std::abs(expected))) << what;
}

TEST(Statistics, SamplesAgreeWithSciPy) {
  for (const auto& sample : reference()["samples"]) {
    const auto values = numbers(sample["values"]);
    const std::string what = sample["values"].dump();
    expect_close(mean(values), sample["mean"], what);
    expect_close(sample_deviation(values), sample["deviation"], what);
    const auto test = paired_t_test(values);
    expect_close(test.t, sample["t"], what);
    expect_close(test.p, sample["p"], what);
    expect_close(test.interval.low, sample["interval"][0], what);
    expect_close(test.interval.high, sample["interval"][1], what);
    EXPECT_EQ(test.degrees, static_cast<double>(values.size() - 1));
    const auto tost = two_one_sided_tests(values, sample["tost"]["margin"]);
    expect_close(tost.p, sample["tost"]["p"], what);
    expect_close(tost.interval.low, sample["tost"]["interval"][0], what);
    expect_close(tost.interval.high, sample["tost"]["interval"][1], what);
    EXPECT_EQ(tost.is_equivalent, tost.p < 0.05) << "the interval and the tests say the same";
  }
}

TEST(Statistics, DistributionsAgreeWithSciPy) {
  for (const auto& row : reference()["t_quantiles"])
    expect_close(student_t_quantile(row[0], row[1]), row[2], row.dump());
  for (const auto& row : reference()["t_cdfs"]) expect_close(student_t_cdf(row[0], row[1]), row[2], row.dump());
  for (const auto& row : reference()["normal_quantiles"]) expect_close(normal_quantile(row[0]), row[1], row.dump());
}

TEST(Statistics, WilsonAgreesWithStatsmodels) {
  for (const auto& row : reference()["wilson"]) {
    const auto interval = wilson_interval(row[0], row[1], row[2]);
    expect_close(interval.low, row[3], row.dump());
    expect_close(interval.high, row[4], row.dump());
  }
}

TEST(Statistics, HolmAgreesWithStatsmodels) {
  for (const auto& row : reference()["holm"]) {
    const auto adjusted = holm(numbers(row["p"]));
    for (size_t i = 0; i < adjusted.size(); ++i) expect_close(adjusted[i], row["adjusted"][i], row.dump());
  }
}

TEST(Statistics, HolmPassesOverWhatIsNoTest) {
  const std::vector<double> p = {0.04, std::nan(""), 0.01};
  const auto adjusted = holm(p);
  EXPECT_EQ(adjusted[0], 0.04);
  EXPECT_TRUE(std::isnan(adjusted[1]));
  EXPECT_EQ(adjusted[2], 0.02);
}

TEST(Statistics, SpearmanAgreesWithSciPy) {
  for (const auto& row : reference()["spearman"]) {
    const auto found = spearman(numbers(row["x"]), numbers(row["y"]));
    expect_close(found.rho, row["rho"], row.dump());
    expect_close(found.p, row["p"], row.dump());
  }
}

TEST(Statistics, TooFewValuesDefineNothing) {
  const std::vector<double> one = {3};
  EXPECT_TRUE(std::isnan(mean({})));
  EXPECT_TRUE(std::isnan(sample_deviation(one)));
  EXPECT_TRUE(std::isnan(t_interval(one).low));
  EXPECT_TRUE(std::isnan(paired_t_test(one).p));
  EXPECT_EQ(paired_t_test(one).mean, 3);
  EXPECT_TRUE(std::isnan(two_one_sided_tests(one, 2).p));
  EXPECT_FALSE(two_one_sided_tests(one, 2).is_equivalent);
  EXPECT_TRUE(std::isnan(wilson_interval(0, 0).low));
  EXPECT_TRUE(std::isnan(spearman(one, one).rho));
  const std::vector<double> constant = {1, 1, 1}, rising = {1, 2, 3};
  EXPECT_TRUE(std::isnan(spearman(constant, rising).rho));
}

TEST(Statistics, EqualDifferencesAreCertain) {
  const std::vector<double> zero = {0, 0, 0}, two = {2.5, 2.5, 2.5};
  EXPECT_EQ(paired_t_test(zero).p, 1);
  EXPECT_EQ(paired_t_test(two).p, 0);
  EXPECT_EQ(paired_t_test(two).interval.low, 2.5);
  EXPECT_TRUE(two_one_sided_tests(zero, 2).is_equivalent);
  EXPECT_FALSE(two_one_sided_tests(two, 2).is_equivalent);
  EXPECT_EQ(two_one_sided_tests(two, 2).p, 1);
}

TEST(Statistics, BootstrapIsRepeatableAndCoversAsTheNormalIntervalDoes) {
  RandomStream first(28, "bootstrap"), again(28, "bootstrap"), data(1, "sample");
  std::vector<double> values;
  for (int i = 0; i < 400; ++i) values.push_back(data.normal());
  const auto interval = bootstrap_mean(values, first);
  EXPECT_EQ(interval.low, bootstrap_mean(values, again).low);
  const double error = sample_deviation(values) / 20;
  // 10,000 resamples place a 2.5 % quantile to about 0.03 standard errors; 0.1 is beyond chance.
  EXPECT_NEAR(interval.low, mean(values) - 1.96 * error, 0.1 * error);
  EXPECT_NEAR(interval.high, mean(values) + 1.96 * error, 0.1 * error);
  const std::vector<double> one = {4};
  EXPECT_EQ(bootstrap_mean(one, first).low, 4);
  EXPECT_TRUE(std::isnan(bootstrap_mean({}, first).low));
}

TEST(Statistics, NestedBootstrapIsNumpys) {
  const Json all = Json::parse(read_file(NORMSCOPE_FIXTURES "/claims.json", ErrorKind::Run));
  for (const auto& row : all["nested"]) {
    const auto groups = row["groups"].get<std::vector<std::vector<double>>>();
    RandomStream random(28, "nested"), again(28, "nested");
    const auto interval = bootstrap_nested(groups, random);
    EXPECT_EQ(interval.low, bootstrap_nested(groups, again).low);
    // 10,000 resamples place a 2.5 % quantile to about 0.03 deviations, beside steps of one row.
    const double close =
        0.1 * row["deviation"].get<double>() + 100.0 / static_cast<double>(groups[0].size() * groups.size());
    EXPECT_NEAR(interval.low, row["interval"][0].get<double>(), close);
    EXPECT_NEAR(interval.high, row["interval"][1].get<double>(), close);
  }
}

TEST(Statistics, NestedBootstrapCountsTheRowsOfEqualSeeds) {
  // Three seeds with the same share: over seeds alone nothing varies.
  std::vector<double> rows(28, 0.0);
  std::fill_n(rows.begin(), 14, 100.0);
  const std::vector<std::vector<double>> groups = {rows, rows, rows};
  RandomStream random(1, "nested");
  const auto interval = bootstrap_nested(groups, random);
  const double error = 50 / std::sqrt(3 * 28.0);  // of a share of one half, percent
  EXPECT_NEAR(interval.high - interval.low, 2 * 1.96 * error, 0.1 * 2 * 1.96 * error);
  const std::vector<std::vector<double>> constant = {{3, 3}, {3}}, one = {{3, 3}}, hollow = {{3}, {}};
  EXPECT_EQ(bootstrap_nested(constant, random).low, 3);
  EXPECT_TRUE(std::isnan(bootstrap_nested(one, random).low));
  EXPECT_TRUE(std::isnan(bootstrap_nested(hollow, random).low));
}

TEST(Statistics, TIntervalsCoverTheMean) {
  RandomStream random(5, "coverage");
  int covered = 0;
  constexpr int kTrials = 2000;
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::vector<double> values = {random.normal(), random.normal(), random.normal()};
    covered += !t_interval(values).excludes(0);
  }
  EXPECT_NEAR(covered, 0.95 * kTrials, 4 * std::sqrt(kTrials * 0.95 * 0.05));
}

}  // namespace
}  // namespace normscope
