#include "measurements/memorization_curve.h"

#include <cmath>
#include <limits>
#include <vector>

namespace normscope {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<CurvePoint> defined(std::span<const CurvePoint> curve) {
  std::vector<CurvePoint> points;
  for (const auto& point : curve)
    if (!std::isnan(point.value)) points.push_back(point);
  return points;
}

// The first crossing of `level`, from below (direction 1) or from above (-1).
double first_crossing(std::span<const CurvePoint> curve, double level, double direction) {
  const auto points = defined(curve);
  for (size_t i = 0; i < points.size(); ++i) {
    if (direction * (points[i].value - level) < 0) continue;
    if (i == 0) return points[0].at;
    const auto &before = points[i - 1], &after = points[i];
    return before.at + (level - before.value) / (after.value - before.value) * (after.at - before.at);
  }
  return kNone;
}

}  // namespace

double first_reaching(std::span<const CurvePoint> curve, double level) { return first_crossing(curve, level, 1); }
double first_falling_to(std::span<const CurvePoint> curve, double level) { return first_crossing(curve, level, -1); }

double value_at(std::span<const CurvePoint> curve, double at) {
  const auto points = defined(curve);
  for (size_t i = 0; i < points.size(); ++i) {
    if (points[i].at < at) continue;
    if (points[i].at == at) return points[i].value;
    if (i == 0) return kNone;
    const auto &before = points[i - 1], &after = points[i];
    return before.value + (at - before.at) / (after.at - before.at) * (after.value - before.value);
  }
  return kNone;
}

double area_under(std::span<const CurvePoint> curve) {
  const auto points = defined(curve);
  if (points.size() < 2) return kNone;
  double area = 0;
  for (size_t i = 1; i < points.size(); ++i)
    area += (points[i].at - points[i - 1].at) * (points[i].value + points[i - 1].value) / 2;
  return area;
}

double mean_height(std::span<const CurvePoint> curve) {
  const auto points = defined(curve);
  return points.size() < 2 ? kNone : area_under(points) / (points.back().at - points.front().at);
}

CurvePoint peak(std::span<const CurvePoint> curve) {
  CurvePoint highest{kNone, kNone};
  for (const auto& point : defined(curve))
    if (!(point.value <= highest.value)) highest = point;
  return highest;
}

}  // namespace normscope
