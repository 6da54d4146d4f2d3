// The preparations of the study's picture sets, which decide every split.
// Source: study.md 2.1.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/error.h"
#include "core/text.h"
#include "data/class_order.h"
#include "data/numpy_random.h"
#include "data/preparations.h"
#include "data/stratified_split.h"

namespace normscope {
namespace {

using Names = std::vector<std::string>;
using Rows = std::vector<SourceRow>;

const std::string& true_label_of(const SourceRow& row) { return row.true_label.empty() ? row.label : row.true_label; }

std::vector<int> class_numbers(const Rows& rows, const Names& classes) {
  std::map<std::string, int> number;
  for (size_t i = 0; i < classes.size(); ++i) number[classes[i]] = static_cast<int>(i);
  std::vector<int> labels;
  for (const auto& row : rows) labels.push_back(number.at(true_label_of(row)));
  return labels;
}

Rows taken(const Rows& rows, const std::vector<int64_t>& numbers) {
  Rows result;
  for (const int64_t number : numbers) result.push_back(rows[static_cast<size_t>(number)]);
  return result;
}

// A split of the training file's rows.
SourceRows part_of(const SourceRows& train, Rows rows) {
  SourceRows part = train;
  part.rows = std::move(rows);
  part.skipped.clear();
  part.notes.clear();
  return part;
}

// The first `count` names, and how many there are.
std::string listed(const Names& names) {
  constexpr size_t kListed = 10;
  if (names.size() <= kListed) return join(names, ", ");
  return join(std::span(names).first(kListed), ", ") + ", ... (" + std::to_string(names.size()) + " in all)";
}

struct RowCounts {
  size_t train, validation, test;
};

// Test rows are compared where there are some.
void note_counts(PreparationInput& input, RowCounts study) {
  const auto text = [](size_t train, size_t validation, size_t test) {
    return std::to_string(train) + " / " + std::to_string(validation) + " / " + std::to_string(test);
  };
  const RowCounts found{input.train.rows.size(), input.validation.rows.size(), input.test.rows.size()};
  const bool is_equal = found.train == study.train && found.validation == study.validation &&
                        (found.test == study.test || input.test.file.empty());
  if (!is_equal)
    input.notes.push_back("training / validation / test rows: " + text(found.train, found.validation, found.test) +
                          "; the study has " + text(study.train, study.validation, study.test));
}

void note_order(PreparationInput& input) {
  input.notes.push_back(
      "pictures are taken in byte order of their names; the study took them in the order of its file system, so its "
      "splits and noisy rows cannot be had again");
}

// `taken_rows` of each class as NumPy draws them, shuffled together; a fifth becomes validation.
Names prepare_cifar(PreparationInput& input, size_t num_classes, int64_t taken_rows) {
  auto& train = input.train;
  Names labels;
  for (const auto& row : train.rows) labels.push_back(true_label_of(row));
  const auto classes = order_classes(labels, train.classes, {});
  require(classes.size() == num_classes, ErrorKind::Data, train.file, ": ", classes.size(),
          " classes; the preparation expects ", num_classes);
  std::vector<std::vector<int64_t>> rows_by_class(num_classes);
  const auto numbers = class_numbers(train.rows, classes);
  for (size_t i = 0; i < numbers.size(); ++i)
    rows_by_class[static_cast<size_t>(numbers[i])].push_back(static_cast<int64_t>(i));

  NumpyRandom random(input.split_seed);
  std::vector<int64_t> selected;
  for (size_t c = 0; c < num_classes; ++c) {
    const auto size = static_cast<int64_t>(rows_by_class[c].size());
    require(size >= taken_rows, ErrorKind::Data, train.file, ": class \"", classes[c], "\" has ", size,
            " rows; the preparation draws ", taken_rows);
    for (const int64_t i : random.choice(size, taken_rows))
      selected.push_back(rows_by_class[c][static_cast<size_t>(i)]);
  }
  random.shuffle(selected);
  const auto rows = taken(train.rows, selected);
  const auto sizes = sizes_from_test_fraction(static_cast<int64_t>(rows.size()), 0.2);
  const auto split = stratified_split(class_numbers(rows, classes), sizes, input.split_seed);
  input.validation = part_of(train, taken(rows, split.test));
  train = part_of(train, taken(rows, split.train));
  return classes;
}

}  // namespace

Names prepare_cifar10(PreparationInput& input) {
  const auto classes = prepare_cifar(input, 10, 2000);
  note_counts(input, {16000, 4000, 10000});
  return classes;
}

Names prepare_cifar100(PreparationInput& input) {
  const auto classes = prepare_cifar(input, 100, 500);
  note_counts(input, {40000, 10000, 10000});
  return classes;
}

void label_utkface(SourceRows& file, const std::string& column) {
  const Names fields = {"age", "gender", "race", "date"};
  const auto at = std::ranges::find(fields, column == DataOptions().label_column ? "race" : column) - fields.begin();
  require(at < 3, ErrorKind::Usage, "label_column is \"", column, "\"; UTKFace's names tell age, gender and race");
  require(file.has_images || file.rows.empty(), ErrorKind::Data, file.file, ": prepare utkface expects pictures");
  Names dropped;
  Rows rows;
  for (auto& row : file.rows) {
    const auto name = std::filesystem::path(row.image.file).filename().string();
    Names parts(1);
    for (const char c : name) {
      if (c == '_') {
        parts.emplace_back();
      } else {
        parts.back() += c;
      }
    }
    if (parts.size() == fields.size() && !parts[static_cast<size_t>(at)].empty()) {
      row.label = parts[static_cast<size_t>(at)];
      rows.push_back(std::move(row));
    } else {
      dropped.push_back(name);
    }
  }
  file.rows = std::move(rows);
  file.has_labels = true;
  if (!dropped.empty())
    file.notes.push_back(file.file + ": dropped " + std::to_string(dropped.size()) +
                         " pictures whose names are not age_gender_race_date: " + listed(dropped));
}

// A fifth becomes test, a fifth of the others validation.
Names prepare_utkface(PreparationInput& input) {
  auto& train = input.train;
  if (train.rows.empty()) return {};  // refused by the caller
  Names labels;
  for (const auto& row : train.rows) labels.push_back(row.label);
  const auto classes = order_classes(labels, {}, {});
  const auto outer =
      stratified_split(class_numbers(train.rows, classes),
                       sizes_from_test_fraction(static_cast<int64_t>(train.rows.size()), 0.2), input.split_seed);
  const auto rest = taken(train.rows, outer.train);
  const auto inner = stratified_split(
      class_numbers(rest, classes), sizes_from_test_fraction(static_cast<int64_t>(rest.size()), 0.2), input.split_seed);
  input.test = part_of(train, taken(train.rows, outer.test));
  input.validation = part_of(train, taken(rest, inner.test));
  train = part_of(train, taken(rest, inner.train));
  note_order(input);
  note_counts(input, {15171, 3793, 4741});
  return {};
}

// Four fifths train; validation and test share the rest.
Names prepare_nico(PreparationInput& input) {
  const Names names = {"car",   "flower", "penguin", "camel", "chair",   "monitor",  "truck", "wheat",
                       "sword", "seal",   "lion",    "fish",  "dolphin", "lifeboat", "tank"};
  auto& train = input.train;
  std::set<std::string> left_out;
  std::erase_if(train.rows, [&](const SourceRow& row) {
    const bool is_other = std::ranges::find(names, true_label_of(row)) == names.end();
    if (is_other) left_out.insert(true_label_of(row));
    return is_other;
  });
  if (!left_out.empty())
    input.notes.push_back("left out folders that are none of the study's 15 classes: " +
                          listed(Names(left_out.begin(), left_out.end())));
  if (train.rows.empty()) return names;  // refused by the caller
  const auto outer =
      stratified_split(class_numbers(train.rows, names),
                       sizes_from_train_fraction(static_cast<int64_t>(train.rows.size()), 0.8), input.split_seed);
  const auto rest = taken(train.rows, outer.test);
  const auto inner = stratified_split(
      class_numbers(rest, names), sizes_from_test_fraction(static_cast<int64_t>(rest.size()), 0.5), input.split_seed);
  input.validation = part_of(train, taken(rest, inner.train));
  input.test = part_of(train, taken(rest, inner.test));
  train = part_of(train, taken(train.rows, outer.train));
  note_order(input);
  note_counts(input, {10405, 1301, 1301});
  return names;
}

}  // namespace normscope
