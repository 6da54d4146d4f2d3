// Folds: every row once, classes spread evenly, equal rows together, the same again.
#include "data/folds.h"

#include <algorithm>
#include <map>

#include "data/data_test.h"

namespace normscope {
namespace {

const std::vector<std::string> kClasses = {"a", "b", "c"};

// Classes 0, 1, 2 in the ratio 6 : 3 : 1.
std::vector<int> labels_of(int rows) {
  std::vector<int> labels;
  for (int i = 0; i < rows; ++i) labels.push_back(i % 10 < 6 ? 0 : i % 10 < 9 ? 1 : 2);
  return labels;
}

TEST(Folds, SpreadEveryClassEvenly) {
  const auto labels = labels_of(170);
  const auto folds = stratified_folds(labels, {}, 5, 28, kClasses);
  ASSERT_EQ(folds.of_row.size(), labels.size());
  EXPECT_TRUE(folds.warnings.empty());
  std::map<std::pair<int, int>, int> counts;
  std::map<int, int> sizes;
  for (size_t i = 0; i < labels.size(); ++i) {
    ++counts[{labels[i], folds.of_row[i]}];
    ++sizes[folds.of_row[i]];
  }
  for (int c = 0; c < 3; ++c) {
    const auto members = static_cast<int>(std::ranges::count(labels, c));
    for (int f = 0; f < 5; ++f) {
      EXPECT_GE((counts[{c, f}]), members / 5);
      EXPECT_LE((counts[{c, f}]), (members + 4) / 5);
    }
  }
  for (const auto& [fold, size] : sizes) EXPECT_EQ(size, 34) << fold;
}

TEST(Folds, KeepEqualRowsTogether) {
  const auto labels = labels_of(60);
  const DataQuality quality{.duplicates = {{0, 1, 2, 40}, {6, 16}}, .conflicting = {{3, 9, 59}}};
  const auto folds = stratified_folds(labels, quality, 4, 1, kClasses).of_row;
  for (const auto& group : {quality.duplicates[0], quality.duplicates[1], quality.conflicting[0]})
    for (const int64_t row : group)
      EXPECT_EQ(folds[static_cast<size_t>(row)], folds[static_cast<size_t>(group.front())]);
  std::map<int, int> sizes;
  for (const int fold : folds) ++sizes[fold];
  for (const auto& [fold, size] : sizes) EXPECT_NEAR(size, 15, 2) << fold;
}

TEST(Folds, RepeatAndFollowTheSeed) {
  const auto labels = labels_of(50);
  EXPECT_EQ(stratified_folds(labels, {}, 3, 7, kClasses).of_row, stratified_folds(labels, {}, 3, 7, kClasses).of_row);
  EXPECT_NE(stratified_folds(labels, {}, 3, 7, kClasses).of_row, stratified_folds(labels, {}, 3, 8, kClasses).of_row);
}

TEST(Folds, SaysWhatASmallClassLacks) {
  const auto folds = stratified_folds(std::vector{0, 0, 0, 0, 1, 1, 2}, {}, 4, 1, kClasses);
  EXPECT_EQ(folds.warnings,
            (std::vector<std::string>{"class \"b\" has 2 different rows, fewer than the 4 folds",
                                      "class \"c\" has 1 row, fewer than the 4 folds: the model that judges it has "
                                      "never seen the class"}));
}

TEST(Folds, MoreThanRowsAreRefused) {
  const std::vector labels = {0, 0, 1};
  EXPECT_EQ(error_of([&] { stratified_folds(labels, {}, 4, 1, kClasses); }, ErrorKind::Usage),
            "folds: 4 are more than the training set's 3 different rows");
  EXPECT_EQ(error_of(
                [&] {
                  stratified_folds(labels, {.duplicates = {{0, 1}}}, 3, 1, kClasses);
                },
                ErrorKind::Usage),
            "folds: 3 are more than the training set's 2 different rows");
  EXPECT_EQ(error_of([&] { stratified_folds(labels, {}, 1, 1, kClasses); }, ErrorKind::Usage),
            "folds: expected at least 2, found 1");
}

}  // namespace
}  // namespace normscope
