// scikit-learn's stratified split, row for row: train_test_split(stratify=..) and StratifiedShuffleSplit.
// Source: scikit-learn sklearn/model_selection/_split.py and sklearn/utils/extmath.py (_approximate_mode).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace normscope {

struct StratifiedSplit {
  std::vector<int64_t> train, test;  // row numbers, in the order that scikit-learn returns
};

struct SplitSizes {
  int64_t train = 0, test = 0;
};

// test_size=fraction and train_size=fraction as scikit-learn rounds them. Throws Error(Usage) unless
// 0 < fraction < 1.
SplitSizes sizes_from_test_fraction(int64_t num_rows, double fraction);
SplitSizes sizes_from_train_fraction(int64_t num_rows, double fraction);

// labels: [N], 0 or more each; classes are met in ascending order. Throws Error(Data) when a class has one
// row only, or when a side has fewer rows than there are classes.
StratifiedSplit stratified_split(std::span<const int> labels, SplitSizes sizes, int64_t seed);

}  // namespace normscope
