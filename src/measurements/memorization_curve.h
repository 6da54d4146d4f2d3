// When the noisy rows are memorized and recovered, read from one value an epoch, linear between epochs (study.md 7).
#pragma once
#include <span>

namespace normscope {

struct CurvePoint {
  double at = 0, value = 0;  // epoch, or whatever the curve runs over; percent
};

// Points come by ascending epoch; those whose value is NaN are passed over.

// The first epoch at which the curve is at `level` or above it. NaN when it never is.
double first_reaching(std::span<const CurvePoint> curve, double level);
// The first epoch at which the curve is at `level` or below it. NaN when it never is.
double first_falling_to(std::span<const CurvePoint> curve, double level);
// Between the neighbours of `at`; NaN outside the curve.
double value_at(std::span<const CurvePoint> curve, double at);
// Trapezoids, percent times epochs. NaN below two points.
double area_under(std::span<const CurvePoint> curve);
// The area over the epochs that it spans, percent: the mean of the curve.
double mean_height(std::span<const CurvePoint> curve);
// The largest value, at the first epoch that has it; both NaN of nothing.
CurvePoint peak(std::span<const CurvePoint> curve);

}  // namespace normscope
