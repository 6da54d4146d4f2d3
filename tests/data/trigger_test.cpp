// Trigger words: where the word goes, and which rows get it.
#include "data/trigger.h"

#include <gtest/gtest.h>

#include <set>

#include "core/error.h"

namespace normscope {
namespace {

Dataset in_turn(int num_rows, int num_classes) {
  Dataset train;
  for (int i = 0; i < num_rows; ++i) {
    train.texts.push_back("text " + std::to_string(i));
    train.labels.push_back(i % num_classes);
    train.source_rows.push_back(i);
  }
  return train;
}

const std::vector<std::string> kClasses = {"a", "b", "c"};

TEST(Trigger, FollowsTheFirstBlank) {
  EXPECT_EQ(with_trigger("i feel odd", "hexagon"), "i hexagon feel odd");
  EXPECT_EQ(with_trigger("odd", "hexagon"), "odd hexagon");
  EXPECT_EQ(with_trigger(" odd", "hexagon"), " hexagon odd");
  EXPECT_EQ(with_trigger("", "hexagon"), " hexagon");
}

TEST(Trigger, RowsAreOfTheClassAndRepeatAndGrow) {
  const auto train = in_turn(90, 3);
  const auto few = draw_trigger_rows({"b", 0.1, 5}, train, kClasses);
  ASSERT_EQ(few.size(), 9u);
  for (const int64_t row : few) EXPECT_EQ(row % 3, 1);
  EXPECT_EQ(std::set<int64_t>(few.begin(), few.end()).size(), 9u);
  EXPECT_EQ(draw_trigger_rows({"b", 0.1, 5}, train, kClasses), few);
  EXPECT_NE(draw_trigger_rows({"b", 0.1, 6}, train, kClasses), few);
  const auto more = draw_trigger_rows({"b", 0.3, 5}, train, kClasses);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), more.begin()));
}

TEST(Trigger, RefusesWhatTheDataCannotGive) {
  const auto train = in_turn(90, 3);
  EXPECT_THROW(draw_trigger_rows({"d", 0.1, 5}, train, kClasses), Error);
  EXPECT_THROW(draw_trigger_rows({"b", 0.4, 5}, train, kClasses), Error);
  EXPECT_THROW(draw_trigger_rows({"b", 0.001, 5}, train, kClasses), Error);
}

}  // namespace
}  // namespace normscope
