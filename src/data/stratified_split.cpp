// scikit-learn's stratified split: class counts by largest remainder with random ties, then permutations.
#include "data/stratified_split.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "core/error.h"
#include "data/numpy_random.h"

namespace normscope {
namespace {

// How many of `num_draws` come from each class: floors, then the largest remainders; equal ones are drawn.
std::vector<int64_t> approximate_mode(const std::vector<int64_t>& counts, int64_t num_draws, NumpyRandom& random) {
  int64_t total = 0;
  for (const int64_t count : counts) total += count;
  std::vector<int64_t> taken;
  std::map<double, std::vector<size_t>, std::greater<>> classes_by_remainder;
  int64_t missing = num_draws;
  for (size_t i = 0; i < counts.size(); ++i) {
    // Divided before multiplied: the remainders must round as NumPy's do, or ties differ.
    const double expected =
        static_cast<double>(counts[i]) / static_cast<double>(total) * static_cast<double>(num_draws);
    double whole = 0;
    const double remainder = std::modf(expected, &whole);  // a subtraction here could become a fused one
    taken.push_back(static_cast<int64_t>(whole));
    missing -= taken.back();
    classes_by_remainder[remainder].push_back(i);
  }
  for (const auto& [remainder, tied] : classes_by_remainder) {
    if (missing <= 0) break;
    const auto num_tied = static_cast<int64_t>(tied.size());
    const int64_t added = std::min(num_tied, missing);
    for (const int64_t i : random.choice(num_tied, added)) ++taken[tied[static_cast<size_t>(i)]];
    missing -= added;
  }
  return taken;
}

void require_fraction(double fraction) {
  require(fraction > 0 && fraction < 1, ErrorKind::Usage, "fraction of a split is ", fraction,
          ": expected a number between 0 and 1");
}

std::vector<int64_t> permuted(const std::vector<int64_t>& rows, NumpyRandom& random) {
  auto shuffled = rows;
  random.shuffle(shuffled);
  return shuffled;
}

}  // namespace

SplitSizes sizes_from_test_fraction(int64_t num_rows, double fraction) {
  require_fraction(fraction);
  const auto test = static_cast<int64_t>(std::ceil(fraction * static_cast<double>(num_rows)));
  return {num_rows - test, test};
}

SplitSizes sizes_from_train_fraction(int64_t num_rows, double fraction) {
  require_fraction(fraction);
  const auto train = static_cast<int64_t>(std::floor(fraction * static_cast<double>(num_rows)));
  return {train, num_rows - train};
}

StratifiedSplit stratified_split(std::span<const int> labels, SplitSizes sizes, int64_t seed) {
  std::map<int, std::vector<int64_t>> rows_by_class;
  for (size_t i = 0; i < labels.size(); ++i) rows_by_class[labels[i]].push_back(static_cast<int64_t>(i));
  std::vector<int64_t> counts;
  for (const auto& [label, rows] : rows_by_class) {
    require(rows.size() > 1, ErrorKind::Data, "class number ", label,
            " has one row: a stratified split needs at least two of every class");
    counts.push_back(static_cast<int64_t>(rows.size()));
  }
  const auto num_classes = static_cast<int64_t>(counts.size());
  require(sizes.train >= num_classes && sizes.test >= num_classes, ErrorKind::Data, "a stratified split into ",
          sizes.train, " and ", sizes.test, " rows: expected at least one row of each of the ", num_classes,
          " classes on both sides");

  NumpyRandom random(seed);
  const auto train_counts = approximate_mode(counts, sizes.train, random);
  for (size_t i = 0; i < counts.size(); ++i) counts[i] -= train_counts[i];
  const auto test_counts = approximate_mode(counts, sizes.test, random);

  StratifiedSplit split;
  size_t class_index = 0;
  for (const auto& [label, rows] : rows_by_class) {
    const auto order = permuted(rows, random);
    const auto middle = order.begin() + train_counts[class_index];
    split.train.insert(split.train.end(), order.begin(), middle);
    split.test.insert(split.test.end(), middle, middle + test_counts[class_index]);
    ++class_index;
  }
  split.train = permuted(split.train, random);
  split.test = permuted(split.test, random);
  return split;
}

}  // namespace normscope
