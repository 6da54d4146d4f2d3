#include "measurements/row_history.h"

#include <gtest/gtest.h>

#include <cmath>

namespace normscope {
namespace {

RowHistory history(const std::vector<bool>& epochs) {
  RowHistory row;
  for (size_t e = 0; e < epochs.size(); ++e) row.follow(static_cast<int64_t>(e) + 1, epochs[e]);
  return row;
}

TEST(RowHistory, CountsFirstEpochAndForgetting) {
  const auto row = history({false, true, false, false, true, false, true, true});
  EXPECT_EQ(row.first_learned_epoch, 2);
  EXPECT_EQ(row.forgetting_events, 2);
  EXPECT_TRUE(row.is_learned);
  const auto never = history({false, false});
  EXPECT_EQ(never.first_learned_epoch, 0);
  EXPECT_EQ(never.forgetting_events, 0) << "what was never learned is not forgotten";
}

TEST(RowHistory, SummaryIsOverTheRightRows) {
  const std::vector<RowHistory> rows = {history({true, true, true}), history({false, true, false}),
                                        history({false, false, false}), history({false, false, true})};
  const auto summary = summarize(rows);
  EXPECT_DOUBLE_EQ(summary.learned, 50);
  EXPECT_DOUBLE_EQ(summary.ever_learned, 75);
  EXPECT_DOUBLE_EQ(summary.never_forgotten, 100 * 2 / 3.0);
  EXPECT_DOUBLE_EQ(summary.first_learned_epoch, (1 + 2 + 3) / 3.0);
  EXPECT_DOUBLE_EQ(summary.forgetting_events, 0.25);
  EXPECT_TRUE(std::isnan(summarize({}).learned));
  EXPECT_TRUE(std::isnan(summarize(std::vector{history({false})}).first_learned_epoch));
}

}  // namespace
}  // namespace normscope
