// The order of a study's runs, and what is tried again.
#include "experiments/run_schedule.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

bool nobody(size_t) { return false; }

TEST(RunSchedule, HandsOutInOrderAndEachOnce) {
  RunSchedule schedule(4, {1});
  EXPECT_EQ(schedule.left(), 3u);
  EXPECT_EQ(schedule.next(nobody), 0u);
  EXPECT_EQ(schedule.next(nobody), 2u);
  EXPECT_EQ(schedule.next(nobody), 3u);
  EXPECT_EQ(schedule.next(nobody), std::nullopt);
  EXPECT_TRUE(schedule.has_more());
  for (const size_t run : {0, 2, 3}) schedule.report(run, RunOutcome::Done);
  EXPECT_FALSE(schedule.has_more());
  EXPECT_EQ(schedule.left(), 0u);
}

TEST(RunSchedule, AnInterruptedRunIsTriedASecondTimeAfterTheOthers) {
  RunSchedule schedule(2, {});
  schedule.next(nobody);
  schedule.report(0, RunOutcome::Interrupted);
  EXPECT_EQ(schedule.next(nobody), 1u);
  EXPECT_EQ(schedule.next(nobody), 0u);
  schedule.report(0, RunOutcome::Interrupted);
  EXPECT_EQ(schedule.next(nobody), std::nullopt);
  schedule.report(1, RunOutcome::Done);
  EXPECT_FALSE(schedule.has_more());
  EXPECT_TRUE(schedule.any(RunOutcome::Interrupted));
}

TEST(RunSchedule, WhatInterruptedOnceMayEndWell) {
  RunSchedule schedule(1, {});
  schedule.next(nobody);
  schedule.report(0, RunOutcome::Interrupted);
  schedule.next(nobody);
  schedule.report(0, RunOutcome::Done);
  EXPECT_FALSE(schedule.any(RunOutcome::Interrupted));
}

TEST(RunSchedule, FailedRefusedAndStoppedRunsStayWhereTheyAre) {
  for (const auto outcome : {RunOutcome::Failed, RunOutcome::Refused, RunOutcome::Stopped}) {
    RunSchedule schedule(1, {});
    schedule.next(nobody);
    schedule.report(0, outcome);
    EXPECT_EQ(schedule.next(nobody), std::nullopt);
    EXPECT_FALSE(schedule.has_more());
    EXPECT_TRUE(schedule.any(outcome));
  }
}

TEST(RunSchedule, ARunThatIsElsewhereComesBackOnceItIsFree) {
  RunSchedule schedule(1, {});
  schedule.next(nobody);
  schedule.report(0, RunOutcome::Elsewhere);
  EXPECT_EQ(schedule.next([](size_t) { return true; }), std::nullopt);
  EXPECT_TRUE(schedule.has_more());
  EXPECT_EQ(schedule.next(nobody), 0u);
}

}  // namespace
}  // namespace normscope
