// From files to splits: class order, labels, validation, quality, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "data/class_order.h"
#include "data/data_test.h"
#include "data/dataset.h"

namespace normscope {
namespace {

using Names = std::vector<std::string>;
using Indices = std::vector<int64_t>;

TEST(ClassOrder, IsGivenElseTheCheckpointsElseNumericElseByBytes) {
  EXPECT_EQ(order_classes(Names{"b", "a"}, Names{"c", "b", "a"}, Names{"a", "b"}), (Names{"c", "b", "a"}));
  EXPECT_EQ(order_classes(Names{"a", "b", "a"}, {}, Names{"b", "a"}), (Names{"b", "a"}));
  EXPECT_EQ(order_classes(Names{"b", "a"}, {}, Names{"LABEL_0", "LABEL_1"}), (Names{"a", "b"}));
  EXPECT_EQ(order_classes(Names{"b", "a"}, {}, Names{"c", "b", "a"}), (Names{"a", "b"}));
  EXPECT_EQ(order_classes(Names{"10", "9", "-1", "0"}, {}, {}), (Names{"-1", "0", "9", "10"}));
  EXPECT_EQ(order_classes(Names{"10", "9", "x"}, {}, {}), (Names{"10", "9", "x"}));
  EXPECT_EQ(order_classes(Names{"\xc3\xa4", "b", "Z", "a"}, {}, {}), (Names{"Z", "a", "b", "\xc3\xa4"}));
}

TEST(ClassOrder, RefusesAnOrderThatLacksOrRepeatsALabel) {
  EXPECT_EQ(error_of(
                [] {
                  order_classes(Names{"b", "a"}, Names{"a", "c"}, {});
                },
                ErrorKind::Usage),
            "labels: the data has label \"b\", which the given order lacks: a, c");
  EXPECT_EQ(error_of(
                [] {
                  order_classes(Names{"a"}, Names{"a", "b", "a"}, {});
                },
                ErrorKind::Usage),
            "labels: a label is listed twice in a, b, a");
}

TEST(ClassOrder, FindsAClassByNameOrByNumberWhereNoClassIsOne) {
  EXPECT_EQ(find_class(Names{"a", "b"}, "b"), 1);
  EXPECT_EQ(find_class(Names{"a", "b"}, "1"), 1);
  EXPECT_EQ(find_class(Names{"a", "b"}, "2"), -1);
  EXPECT_EQ(find_class(Names{"5", "7"}, "7"), 1);
  EXPECT_EQ(find_class(Names{"5", "7"}, "1"), -1);
}

TEST(ClassOrder, ListsAtMostTwentyClasses) {
  Names classes;
  for (int i = 0; i < 100; ++i) classes.push_back("c" + std::to_string(i));
  const auto message = unknown_class(classes, "nothing like it");
  EXPECT_TRUE(message.ends_with("c18, c19, ... (100 in all)")) << message;
}

class Splits : public DataFiles {
 protected:
  std::string rows(const std::string& name, const Names& labels) {
    std::string bytes = "text,label\n";
    for (size_t i = 0; i < labels.size(); ++i) bytes += name + " " + std::to_string(i) + "," + labels[i] + "\n";
    return write(name + ".csv", bytes);
  }
};

TEST_F(Splits, NumberLabelsByTheClassOrder) {
  const auto splits =
      load_splits(rows("train", {"b", "c", "a", "b"}), rows("validation", {"a"}), rows("test", {"c", "b"}), {}, {});
  EXPECT_EQ(splits.classes, (Names{"a", "b", "c"}));
  EXPECT_EQ(splits.train.labels, (std::vector<int>{1, 2, 0, 1}));
  EXPECT_EQ(splits.validation.labels, (std::vector<int>{0}));
  EXPECT_EQ(splits.test.labels, (std::vector<int>{2, 1}));
  EXPECT_EQ(splits.train.texts[2], "train 2");
  EXPECT_EQ(splits.train.source_rows, (Indices{0, 1, 2, 3}));
  EXPECT_TRUE(splits.train.given_labels.empty());
  EXPECT_TRUE(splits.notes.empty());
}

TEST_F(Splits, RefuseAClassThatTrainingLacks) {
  const auto train = rows("train", {"a", "b"});
  const auto held_out = rows("held_out", {"a", "c"});
  EXPECT_EQ(error_of([&] { load_splits(train, "", held_out, {}, {}); }, ErrorKind::Data),
            held_out + ":3: the test set has class \"c\", which no training row has (" + train + ")");
  EXPECT_EQ(error_of([&] { load_splits(train, held_out, "", {}, {}); }, ErrorKind::Data),
            held_out + ":3: the validation set has class \"c\", which no training row has (" + train + ")");
}

TEST_F(Splits, RefuseOptionsThatContradict) {
  const auto train = rows("train", {"a", "b"});
  const auto refused = [&](const DataOptions& options, const std::string& validation = "") {
    return error_of([&] { load_splits(train, validation, "", options, {}); }, ErrorKind::Usage);
  };
  EXPECT_EQ(refused({.prepare = "emotion"}),
            "unknown preparation \"emotion\"; known: plain, emotions, tweettopic, news, newsgroups, cifar10, cifar100, "
            "utkface, "
            "nico; did you mean "
            "\"emotions\"?");
  EXPECT_EQ(refused({.validation_fraction = 1}), "validation_fraction is 1; expected at least 0 and less than 1");
  EXPECT_EQ(refused({.validation_fraction = 0.1}, "v.csv"),
            "validation_fraction and a validation file are both given (v.csv)");
  EXPECT_EQ(refused({.on_bad_row = "ignore"}), "on_bad_row is \"ignore\"; expected error or skip");
  EXPECT_EQ(refused({.true_label_column = "label"}), "true_label_column and label_column are both \"label\"");
  EXPECT_EQ(refused({.labels = {"a"}}), "labels: the data has label \"b\", which the given order lacks: a");
}

TEST_F(Splits, NameAMissingFileAndOneWithoutRows) {
  EXPECT_NE(error_of([&] { load_splits("/nowhere/x.csv", "", "", {}, {}); }, ErrorKind::Data).find("/nowhere/x.csv"),
            std::string::npos);
  const auto empty = rows("train", {});
  EXPECT_EQ(error_of([&] { load_splits(empty, "", "", {}, {}); }, ErrorKind::Data), empty + ": no training rows");
}

TEST_F(Splits, SplitOffValidationIsStratifiedDisjointAndComplete) {
  Names labels;
  for (int i = 0; i < 200; ++i) labels.push_back(i % 4 == 0 ? "rare" : "usual");
  const auto train = rows("train", labels);
  const auto splits = load_splits(train, "", "", {.validation_fraction = 0.1, .split_seed = 64}, {});
  EXPECT_EQ(splits.train.size(), 180U);
  EXPECT_EQ(splits.validation.size(), 20U);
  EXPECT_EQ(std::ranges::count(splits.validation.labels, 0), 5);
  std::set<int64_t> seen(splits.train.source_rows.begin(), splits.train.source_rows.end());
  seen.insert(splits.validation.source_rows.begin(), splits.validation.source_rows.end());
  EXPECT_EQ(seen.size(), 200U);
  for (size_t i = 0; i < splits.train.size(); ++i)
    EXPECT_EQ(splits.train.texts[i], "train " + std::to_string(splits.train.source_rows[i]));
  const auto other = load_splits(train, "", "", {.validation_fraction = 0.1, .split_seed = 65}, {});
  EXPECT_NE(other.validation.source_rows, splits.validation.source_rows);
}

TEST_F(Splits, NameTheClassThatIsTooSmallToSplit) {
  const auto train = rows("train", {"a", "a", "a", "b"});
  EXPECT_EQ(error_of([&] { load_splits(train, "", "", {.validation_fraction = 0.5}, {}); }, ErrorKind::Data),
            "class \"b\" has one training row; splitting off a validation set needs at least two of every class");
}

TEST_F(Splits, CountDuplicatesConflictsAndLeaks) {
  const auto train = write("train.csv", "text,label\nsame,a\nother,b\nsame,a\ntorn,a\nsame,a\ntorn,b\nlone,a\n");
  const auto test = write("test.csv", "text,label\nnew,a\ntorn,b\nsame,b\n");
  const auto quality = load_splits(train, "", test, {}, {}).quality;
  EXPECT_EQ(quality.duplicates, (std::vector<Indices>{{0, 2, 4}}));
  EXPECT_EQ(quality.conflicting, (std::vector<Indices>{{3, 5}}));
  EXPECT_EQ(quality.test_in_train, (std::vector<std::pair<int64_t, int64_t>>{{1, 3}, {2, 0}}));
  EXPECT_TRUE(quality.validation_in_train.empty());
}

TEST_F(Splits, ListSkippedRowsOfEveryFileAndKeepSourceRows) {
  const auto train = write("train.csv", "text,label\nx,a\nbad\ny,b\n");
  const auto test = write("test.csv", "text,label\n1,2,3\nx,a\n");
  const auto splits = load_splits(train, "", test, {.on_bad_row = "skip"}, {});
  ASSERT_EQ(splits.skipped.size(), 2U);
  EXPECT_EQ(splits.skipped[0].file, train);
  EXPECT_EQ(splits.skipped[1].file, test);
  EXPECT_EQ(splits.train.source_rows, (Indices{0, 2}));
  EXPECT_EQ(splits.test.source_rows, (Indices{1}));
}

TEST_F(Splits, TrueLabelColumnSeparatesGivenFromTrue) {
  const auto train = write("train.csv", "text,given,clean\nx,a,b\ny,b,b\nz,c,a\n");
  const auto test = write("test.csv", "text,given\nx,a\n");
  const auto splits = load_splits(train, "", test, {.label_column = "given", .true_label_column = "clean"}, {});
  EXPECT_EQ(splits.classes, (Names{"a", "b", "c"}));
  EXPECT_EQ(splits.train.labels, (std::vector<int>{1, 1, 0}));
  EXPECT_EQ(splits.train.given_labels, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(splits.test.labels, (std::vector<int>{0}));
  EXPECT_TRUE(splits.test.given_labels.empty());
}

TEST_F(Splits, NoteClassesWithoutRowsAndAWiderCheckpoint) {
  const auto train = rows("train", {"a", "b"});
  EXPECT_EQ(load_splits(train, "", "", {.labels = {"c", "a", "b"}}, {}).notes,
            (Names{"class \"c\" has no training row"}));
  const Names wide = {"b", "a", "z"};
  const auto splits = load_splits(train, "", "", {}, wide);
  EXPECT_EQ(splits.classes, (Names{"a", "b"}));
  EXPECT_EQ(splits.notes,
            (Names{"the checkpoint has 3 classes, the data 2 of them; set labels to keep the checkpoint's"}));
}

TEST_F(Splits, OneFileIsReadWithTheCheckpointsClasses) {
  const Names classes = {"neg", "pos"};
  const auto names = write("names.csv", "text,label\nx,pos\ny,neg\n");
  const auto loaded = load_dataset(names, {}, classes, true);
  EXPECT_TRUE(loaded.has_labels);
  EXPECT_EQ(loaded.rows.labels, (std::vector<int>{1, 0}));
  EXPECT_EQ(load_dataset(write("ids.jsonl", "{\"text\": \"x\", \"label\": 1}\n"), {}, classes, true).rows.labels,
            (std::vector<int>{1}));
  const auto odd = write("odd.csv", "text,label\nx,pos\ny,nag\n");
  EXPECT_EQ(error_of([&] { load_dataset(odd, {}, classes, true); }, ErrorKind::Data),
            odd + ":3: class \"nag\" does not exist; classes are neg, pos; did you mean \"neg\"?");
  EXPECT_EQ(load_dataset(odd, {}, classes, false).rows.labels, (std::vector<int>{1, -1}));
  const auto bare = write("bare.csv", "text\nx\n");
  EXPECT_FALSE(load_dataset(bare, {}, classes, false).has_labels);
  EXPECT_EQ(load_dataset(bare, {}, classes, false).rows.labels, (std::vector<int>{-1}));
  EXPECT_EQ(error_of([&] { load_dataset(bare, {}, classes, true); }, ErrorKind::Data),
            bare + ":1: no column \"label\"; columns are text");
}

}  // namespace
}  // namespace normscope
