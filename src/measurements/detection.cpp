#include "measurements/detection.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace normscope {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

double ranked(double suspicion) { return std::isnan(suspicion) ? -std::numeric_limits<double>::infinity() : suspicion; }

}  // namespace

Detection measure_detection(std::span<const double> suspicion, const std::vector<bool>& is_wrong) {
  assert(suspicion.size() == is_wrong.size());
  const auto wrong = static_cast<double>(std::ranges::count(is_wrong, true));
  const double right = static_cast<double>(is_wrong.size()) - wrong;
  Detection result{static_cast<int64_t>(wrong), kUndefined, kUndefined, kUndefined, kUndefined};
  if (wrong == 0 || right == 0) return result;
  std::vector<size_t> order(suspicion.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](size_t i) { return ranked(suspicion[i]); });

  double hits = 0, seen = 0, wins = 0, hits_of_n = 0;
  result.average_precision = 0;
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin;
    double tied_hits = 0;
    for (; end < order.size() && ranked(suspicion[order[end]]) == ranked(suspicion[order[begin]]); ++end)
      tied_hits += is_wrong[order[end]];
    const auto tied = static_cast<double>(end - begin);
    const double right_below = right - (seen - hits) - (tied - tied_hits);
    wins += tied_hits * (right_below + (tied - tied_hits) / 2);
    hits_of_n += tied_hits * std::clamp((wrong - seen) / tied, 0.0, 1.0);
    hits += tied_hits;
    seen += tied;
    result.average_precision += tied_hits / wrong * (hits / seen);
    begin = end;
  }
  result.auroc = wins / (wrong * right);
  result.precision = 100 * hits_of_n / wrong;
  result.miss_rate = 100 - result.precision;
  return result;
}

FlagQuality measure_flags(const std::vector<bool>& is_flagged, const std::vector<bool>& is_wrong) {
  assert(is_flagged.size() == is_wrong.size());
  double flagged = 0, wrong = 0, both = 0;
  for (size_t i = 0; i < is_wrong.size(); ++i) {
    flagged += is_flagged[i];
    wrong += is_wrong[i];
    both += is_flagged[i] && is_wrong[i];
  }
  return {static_cast<int64_t>(flagged), flagged > 0 ? 100 * both / flagged : kUndefined,
          wrong > 0 ? 100 * (1 - both / wrong) : kUndefined};
}

}  // namespace normscope
