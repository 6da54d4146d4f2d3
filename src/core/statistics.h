// Small-sample statistics: what a few seeds and a few noisy rows allow one to say.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/random.h"

namespace normscope {

// NaN in both where too few values define it.
struct Interval {
  double low = 0, high = 0;
  bool excludes(double value) const { return value < low || value > high; }
};

double mean(std::span<const double> values);              // NaN of nothing
double median(std::vector<double> values);                // the upper one of two; NaN of nothing
double sample_deviation(std::span<const double> values);  // divisor n - 1; NaN below 2 values

double normal_quantile(double probability);
double student_t_cdf(double t, double degrees);
double student_t_quantile(double probability, double degrees);

// Mean and its two-sided interval by Student's t; NaN limits below 2 values.
Interval t_interval(std::span<const double> values, double level = 0.95);

// Of a share, 0-1. Source: Wilson 1927, without continuity correction. NaN when total is 0.
Interval wilson_interval(int64_t successes, int64_t total, double level = 0.95);

struct TTest {
  double mean = 0;    // of the differences
  Interval interval;  // of that mean
  double t = 0, degrees = 0;
  double p = 1;  // two-sided, against a mean of 0
};

// Paired t-test given the pairs' differences. NaN below 2; equal differences: p is 0, or 1 when all are 0.
TTest paired_t_test(std::span<const double> differences, double level = 0.95);

struct EquivalenceTest {
  Interval interval;  // 1 - 2 alpha, the one that must lie within the margin
  double p = 1;       // the larger of the two one-sided tests'
  bool is_equivalent = false;
};

// Two one-sided t-tests that the mean difference lies within +-margin. Source: Schuirmann 1987.
EquivalenceTest two_one_sided_tests(std::span<const double> differences, double margin, double alpha = 0.05);

// Adjusted p values in the given order. Source: Holm 1979. NaN stays NaN and is no test.
std::vector<double> holm(std::span<const double> p);

// Percentile interval of the mean.
Interval bootstrap_mean(std::span<const double> values, RandomStream& random, int resamples = 10'000,
                        double level = 0.95);
// Percentile interval of mean(above) / mean(below), both sides resampled; NaN below 2 values on either.
Interval bootstrap_ratio(std::span<const double> above, std::span<const double> below, RandomStream& random,
                         int resamples = 10'000, double level = 0.95);

// Percentile interval of the mean of the groups' means: groups are drawn, then values within each drawn group (a
// bootstrap of two stages). NaN below 2 groups or when one is empty.
Interval bootstrap_nested(std::span<const std::vector<double>> groups, RandomStream& random, int resamples = 10'000,
                          double level = 0.95);

struct Correlation {
  double rho = 0;
  double p = 1;  // two-sided, Student's t with n - 2 degrees
};

// Rank correlation; ties share their mean rank. NaN below 3 pairs or when one side is constant.
Correlation spearman(std::span<const double> x, std::span<const double> y);

}  // namespace normscope
