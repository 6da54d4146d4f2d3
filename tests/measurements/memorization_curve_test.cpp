// Times, areas and peaks of curves against values worked by hand.
#include "measurements/memorization_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace normscope {
namespace {

const double kNone = std::nan("");
const std::vector<CurvePoint> kRise = {{0, 10}, {1, 30}, {2, kNone}, {3, 70}, {4, 95}};

TEST(MemorizationCurve, TimesAreLinearBetweenEpochsThatWereRead) {
  EXPECT_DOUBLE_EQ(first_reaching(kRise, 50), 2);    // halfway from 30 at epoch 1 to 70 at epoch 3
  EXPECT_DOUBLE_EQ(first_reaching(kRise, 90), 3.8);  // 20 of the 25 points from 70 to 95
  EXPECT_DOUBLE_EQ(first_reaching(kRise, 10), 0) << "epoch 0 counts";
  EXPECT_DOUBLE_EQ(first_reaching(kRise, 95), 4);
  EXPECT_TRUE(std::isnan(first_reaching(kRise, 95.1))) << "never reached";
  EXPECT_TRUE(std::isnan(first_reaching({}, 50)));
}

TEST(MemorizationCurve, TheFirstCrossingCountsWhateverComesLater) {
  const std::vector<CurvePoint> there_and_back = {{0, 0}, {1, 80}, {2, 20}, {3, 90}};
  EXPECT_DOUBLE_EQ(first_reaching(there_and_back, 40), 0.5);
  EXPECT_DOUBLE_EQ(first_falling_to(std::vector<CurvePoint>{{1, 2}, {2, 1}, {3, 0.5}}, 0.75), 2.5);
  EXPECT_TRUE(std::isnan(first_falling_to(std::vector<CurvePoint>{{1, 2}, {2, 1}}, 0.5)));
}

TEST(MemorizationCurve, ValuesBetweenAndNoneOutside) {
  EXPECT_DOUBLE_EQ(value_at(kRise, 2), 50);
  EXPECT_DOUBLE_EQ(value_at(kRise, 3.2), 75);
  EXPECT_DOUBLE_EQ(value_at(kRise, 0), 10);
  EXPECT_TRUE(std::isnan(value_at(kRise, 4.1)));
  EXPECT_TRUE(std::isnan(value_at(kRise, kNone))) << "a time that was never reached";
}

TEST(MemorizationCurve, AreaIsTrapezoids) {
  EXPECT_DOUBLE_EQ(area_under(kRise), 20 + 100 + 82.5);
  EXPECT_DOUBLE_EQ(mean_height(kRise), 202.5 / 4);
  EXPECT_TRUE(std::isnan(area_under(std::vector<CurvePoint>{{0, 10}})));
}

TEST(MemorizationCurve, PeakIsTheFirstHighest) {
  const auto top = peak(std::vector<CurvePoint>{{0, kNone}, {1, 40}, {2, 75}, {3, 75}, {4, 1}});
  EXPECT_EQ(top.at, 2);
  EXPECT_EQ(top.value, 75);
  EXPECT_TRUE(std::isnan(peak({}).at));
}

}  // namespace
}  // namespace normscope
