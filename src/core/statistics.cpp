// Small-sample statistics in double precision; checked against SciPy and statsmodels.
#include "core/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace normscope {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The continued fraction of the incomplete beta function, by Lentz's method.
// Source: Abramowitz & Stegun 26.5.8.
double beta_fraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300;
  const auto away_from_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m <= 1000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1) < 1e-16) break;
  }
  return value;
}

// `rest` is 1 - x, given apart because near 1 the difference would have lost its digits.
double regularized_beta(double x, double rest, double a, double b) {
  if (x <= 0) return 0;
  if (rest <= 0) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log(rest));
  // The fraction converges fast on one side of the mean only.
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(x, a, b) / a : 1 - front * beta_fraction(rest, b, a) / b;
}

// P(T > t) for t >= 0, without the cancellation of 1 - cdf.
double student_t_tail(double t, double degrees) {
  const double sum = degrees + t * t;
  return regularized_beta(degrees / sum, t * t / sum, degrees / 2, 0.5) / 2;
}

// The root of an increasing function by bisection; `reach` is widened until it holds the root.
template <typename Function>
double find_root(Function&& function) {
  double low = -1, high = 1;
  while (function(low) > 0) low *= 2;
  while (function(high) < 0) high *= 2;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    (function(middle) < 0 ? low : high) = middle;
  }
  return high;
}

std::vector<double> ranks(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t i, size_t j) { return values[i] < values[j]; });
  std::vector<double> ranks(values.size());
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (size_t i = begin; i < end; ++i) ranks[order[i]] = static_cast<double>(begin + end + 1) / 2;
    begin = end;
  }
  return ranks;
}

double standard_error(std::span<const double> values) {
  return sample_deviation(values) / std::sqrt(static_cast<double>(values.size()));
}

double resampled_mean(std::span<const double> values, RandomStream& random) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) sum += values[random.below(values.size())];
  return sum / static_cast<double>(values.size());
}

// The middle share `level` of the drawn values; linear between order statistics, as NumPy's percentile.
Interval percentiles(std::vector<double> drawn, double level) {
  std::sort(drawn.begin(), drawn.end());
  const auto quantile = [&](double share) {
    const double at = share * static_cast<double>(drawn.size() - 1);
    const auto below = static_cast<size_t>(at);
    const size_t above = std::min(below + 1, drawn.size() - 1);
    return drawn[below] + (at - static_cast<double>(below)) * (drawn[above] - drawn[below]);
  };
  return {quantile((1 - level) / 2), quantile((1 + level) / 2)};
}

}  // namespace

double mean(std::span<const double> values) {
  if (values.empty()) return kNan;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? kNan : values[values.size() / 2];
}

double sample_deviation(std::span<const double> values) {
  if (values.size() < 2) return kNan;
  const double middle = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - middle) * (value - middle);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

double normal_quantile(double probability) {
  assert(probability > 0 && probability < 1);
  return find_root([&](double z) { return std::erfc(-z / std::sqrt(2.0)) / 2 - probability; });
}

double student_t_cdf(double t, double degrees) {
  return t > 0 ? 1 - student_t_tail(t, degrees) : student_t_tail(-t, degrees);
}

double student_t_quantile(double probability, double degrees) {
  assert(probability > 0 && probability < 1 && degrees > 0);
  return find_root([&](double t) { return student_t_cdf(t, degrees) - probability; });
}

Interval t_interval(std::span<const double> values, double level) {
  if (values.size() < 2) return {kNan, kNan};
  const double reach =
      student_t_quantile((1 + level) / 2, static_cast<double>(values.size() - 1)) * standard_error(values);
  return {mean(values) - reach, mean(values) + reach};
}

Interval wilson_interval(int64_t successes, int64_t total, double level) {
  assert(successes >= 0 && successes <= total);
  if (total == 0) return {kNan, kNan};
  const double n = static_cast<double>(total), share = static_cast<double>(successes) / n;
  const double z = normal_quantile((1 + level) / 2), z2 = z * z;
  const double centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const double reach = z / (1 + z2 / n) * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
  return {successes == 0 ? 0 : centre - reach, successes == total ? 1 : centre + reach};
}

TTest paired_t_test(std::span<const double> differences, double level) {
  TTest test;
  test.mean = mean(differences);
  test.interval = t_interval(differences, level);
  if (differences.size() < 2) {
    test.t = test.degrees = test.p = kNan;
    return test;
  }
  test.degrees = static_cast<double>(differences.size() - 1);
  const double error = standard_error(differences);
  if (error == 0) {
    test.t = test.mean == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), test.mean);
    test.p = test.mean == 0 ? 1 : 0;
    return test;
  }
  test.t = test.mean / error;
  test.p = 2 * student_t_tail(std::abs(test.t), test.degrees);
  return test;
}

EquivalenceTest two_one_sided_tests(std::span<const double> differences, double margin, double alpha) {
  assert(margin > 0);
  EquivalenceTest test;
  test.interval = t_interval(differences, 1 - 2 * alpha);
  if (differences.size() < 2) {
    test.p = kNan;
    return test;
  }
  const double error = standard_error(differences), middle = mean(differences);
  const double room = margin - std::abs(middle);  // to the nearer limit, whose test has the larger p
  if (error == 0) {
    test.p = room > 0 ? 0 : 1;
  } else {
    test.p = 1 - student_t_cdf(room / error, static_cast<double>(differences.size() - 1));
  }
  test.is_equivalent = test.interval.low > -margin && test.interval.high < margin;
  return test;
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<size_t> order;
  for (size_t i = 0; i < p.size(); ++i)
    if (!std::isnan(p[i])) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size_t i, size_t j) { return p[i] < p[j]; });
  std::vector<double> adjusted(p.size(), kNan);
  double largest = 0;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    largest = std::max(largest, std::min(1.0, p[order[rank]] * static_cast<double>(order.size() - rank)));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

Interval bootstrap_mean(std::span<const double> values, RandomStream& random, int resamples, double level) {
  if (values.empty()) return {kNan, kNan};
  std::vector<double> means(static_cast<size_t>(resamples));
  for (auto& drawn : means) drawn = resampled_mean(values, random);
  return percentiles(std::move(means), level);
}

Interval bootstrap_ratio(std::span<const double> above, std::span<const double> below, RandomStream& random,
                         int resamples, double level) {
  if (above.size() < 2 || below.size() < 2) return {kNan, kNan};
  std::vector<double> ratios(static_cast<size_t>(resamples));
  for (auto& drawn : ratios) {
    const double numerator = resampled_mean(above, random);
    drawn = numerator / resampled_mean(below, random);
  }
  return percentiles(std::move(ratios), level);
}

Interval bootstrap_nested(std::span<const std::vector<double>> groups, RandomStream& random, int resamples,
                          double level) {
  const bool has_empty = std::any_of(groups.begin(), groups.end(), [](const auto& group) { return group.empty(); });
  if (groups.size() < 2 || has_empty) return {kNan, kNan};
  std::vector<double> means(static_cast<size_t>(resamples));
  for (auto& drawn : means) {
    double sum = 0;
    for (size_t i = 0; i < groups.size(); ++i) sum += resampled_mean(groups[random.below(groups.size())], random);
    drawn = sum / static_cast<double>(groups.size());
  }
  return percentiles(std::move(means), level);
}

Correlation spearman(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  if (x.size() < 3) return {kNan, kNan};
  const auto rank_x = ranks(x), rank_y = ranks(y);
  const double middle = mean(rank_x);
  double xy = 0, xx = 0, yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += (rank_x[i] - middle) * (rank_y[i] - middle);
    xx += (rank_x[i] - middle) * (rank_x[i] - middle);
    yy += (rank_y[i] - middle) * (rank_y[i] - middle);
  }
  if (xx == 0 || yy == 0) return {kNan, kNan};
  Correlation result;
  result.rho = std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0);
  const double degrees = static_cast<double>(x.size() - 2);
  const double rest = 1 - result.rho * result.rho;
  result.p = rest <= 0 ? 0 : 2 * student_t_tail(std::abs(result.rho) * std::sqrt(degrees / rest), degrees);
  return result;
}

}  // namespace normscope
