// Label noise against the golden lists of the study, its properties, and the options that are refused.
#include "data/label_noise.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "data/data_test.h"
#include "data/golden.h"
#include "data/noise_file.h"
#include "data/numpy_random.h"
#include "data/sha256.h"
#include "data/stratified_split.h"

namespace normscope {
namespace {

Dataset labelled(std::vector<int> labels) {
  Dataset train;
  for (size_t i = 0; i < labels.size(); ++i) {
    train.texts.push_back("text " + std::to_string(i));
    train.source_rows.push_back(static_cast<int64_t>(3 * i));
  }
  train.labels = std::move(labels);
  return train;
}

Dataset in_turn(int num_rows, int num_classes) {
  std::vector<int> labels;
  for (int i = 0; i < num_rows; ++i) labels.push_back(i % num_classes);
  return labelled(std::move(labels));
}

std::vector<std::string> names(int count) {
  std::vector<std::string> classes;
  for (int i = 0; i < count; ++i) classes.push_back("class " + std::to_string(i));
  return classes;
}

NoiseOptions paper(double rate, const std::string& class_name, int64_t seed) {
  return {.kind = "paper", .rate = rate, .class_name = class_name, .seed = seed};
}

void expect_golden(const LabelNoise& noise, const nlohmann::json& index, const nlohmann::json& label) {
  std::vector<int64_t> rows;
  std::vector<int> given;
  for (const auto& row : noise.rows) {
    rows.push_back(row.row);
    given.push_back(row.given_label);
  }
  EXPECT_EQ(rows, index);
  EXPECT_EQ(given, label);
}

// The study's CIFAR list: rows a class by NumPy, shuffled, then split; all of it follows from the class
// sizes.
void expect_golden_cifar(const nlohmann::json& entry, int num_classes, int64_t rows_of_class, int64_t taken,
                         int noisy_class) {
  const auto seed = entry["seed"].get<int64_t>();
  SCOPED_TRACE(seed);
  NumpyRandom random(seed);
  std::vector<std::pair<int, int64_t>> selected;
  for (int c = 0; c < num_classes; ++c)
    for (const int64_t row : random.choice(rows_of_class, taken)) selected.emplace_back(c, row);
  random.shuffle(selected);
  const std::vector first_selected(selected.begin(), selected.begin() + 5);
  EXPECT_EQ(nlohmann::json(first_selected), entry["first_selected"]);

  std::vector<int> labels;
  for (const auto& [label, row] : selected) labels.push_back(label);
  const auto split = stratified_split(labels, sizes_from_test_fraction(static_cast<int64_t>(labels.size()), 0.2), seed);
  EXPECT_EQ(std::vector(split.train.begin(), split.train.begin() + 8), entry["train_idx_first"]);
  std::vector<int> train_labels;
  std::string bytes;
  for (const int64_t row : split.train) {
    train_labels.push_back(labels[static_cast<size_t>(row)]);
    bytes += static_cast<char>(train_labels.back());
  }
  EXPECT_EQ(std::vector(train_labels.begin(), train_labels.begin() + 32), entry["train_labels_first"]);
  EXPECT_EQ(sha256_hex(bytes), entry["train_labels_sha256"].get<std::string>());
  const auto classes = names(num_classes);
  const auto& noisy_name = classes[static_cast<size_t>(noisy_class)];
  const auto noise = draw_label_noise(paper(0.01, noisy_name, seed), labelled(train_labels), classes);
  expect_golden(noise, entry["noise_index"], entry["noise_label"]);
  // CIFAR-100's 1 % of all rows is the whole class (study.md D5).
  EXPECT_EQ(noise.warnings, num_classes == 10 ? std::vector<std::string>{}
                                              : std::vector<std::string>{
                                                    "all 400 training rows of class \"class 6\" get a wrong label: "
                                                    "nothing is left to recover the class from"});
}

TEST(Sha256, EqualsThePublishedExample) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(LabelNoise, EqualsEveryGoldenCifarList) {
  const auto golden = fixture_json("golden/golden_noise.json");
  ASSERT_EQ(golden["cifar10_class9_n160"].size(), 3U);
  ASSERT_EQ(golden["cifar100_class6_n400"].size(), 3U);
  for (const auto& entry : golden["cifar10_class9_n160"]) expect_golden_cifar(entry, 10, 5000, 2000, 9);
  for (const auto& entry : golden["cifar100_class6_n400"]) expect_golden_cifar(entry, 100, 500, 500, 6);
}

TEST(LabelNoise, CountsRowsAsTheStudyDoes) {
  EXPECT_EQ(noisy_row_count(0.01, 16000), 160);
  EXPECT_EQ(noisy_row_count(0.01, 4217), 42);
  EXPECT_EQ(noisy_row_count(0.01, 2858), 28);
  EXPECT_EQ(noisy_row_count(0.01, 15171), 151);
  EXPECT_EQ(noisy_row_count(0.03, 1200), 36);
  EXPECT_EQ(noisy_row_count(0.29, 1000), 290);
  EXPECT_EQ(noisy_row_count(1, 7), 7);
  EXPECT_EQ(noisy_row_count(0, 7), 0);
  // Python's int((percent / 100) * n), where the double is a hair under the decimal.
  EXPECT_EQ(noisy_row_count(0.29, 100), 28);
}

TEST(LabelNoise, PaperFlipsOneClassAndLeavesTheRowsAlone) {
  const auto train = in_turn(1000, 4);
  const auto before = train.labels;
  const auto noise = draw_label_noise(paper(0.05, "class 2", 28), train, names(4));
  EXPECT_EQ(noise.rows.size(), 50U);
  std::set<int64_t> rows;
  for (const auto& row : noise.rows) {
    rows.insert(row.row);
    EXPECT_EQ(row.true_label, 2);
    EXPECT_NE(row.given_label, 2);
    EXPECT_EQ(row.source_row, 3 * row.row);
  }
  EXPECT_EQ(rows.size(), 50U);
  EXPECT_EQ(train.labels, before);
  EXPECT_EQ(draw_label_noise(paper(0.05, "2", 28), train, names(4)).rows, noise.rows);
  EXPECT_NE(draw_label_noise(paper(0.05, "class 2", 29), train, names(4)).rows, noise.rows);
}

TEST(LabelNoise, PaperTakesTheWholeClassWithAWarning) {
  const auto noise = draw_label_noise(paper(0.5, "class 1", 28), in_turn(12, 4), names(4));
  EXPECT_EQ(noise.rows.size(), 3U);
  EXPECT_EQ(noise.warnings, (std::vector<std::string>{"noise.rate asks for 6 rows of class \"class 1\", which has "
                                                      "3; all of them get a wrong label"}));
}

TEST(LabelNoise, SymmetricTakesExactlyNRowsAndEveryWrongLabel) {
  const auto train = in_turn(6000, 3);
  const auto noise = draw_label_noise({.kind = "symmetric", .rate = 0.5, .seed = 5}, train, names(3));
  ASSERT_EQ(noise.rows.size(), 3000U);
  std::set<int64_t> rows;
  int counts[3][3] = {};
  for (const auto& row : noise.rows) {
    rows.insert(row.row);
    EXPECT_EQ(row.true_label, train.labels[static_cast<size_t>(row.row)]);
    ++counts[row.true_label][row.given_label];
  }
  EXPECT_EQ(rows.size(), 3000U);
  for (int t = 0; t < 3; ++t) {
    EXPECT_EQ(counts[t][t], 0);
    EXPECT_NEAR(counts[t][(t + 1) % 3], 500, 100);  // over 4 standard deviations
    EXPECT_NEAR(counts[t][(t + 2) % 3], 500, 100);
  }
}

TEST(LabelNoise, ANoisierSymmetricSetHoldsTheQuieterOne) {
  const auto train = in_turn(500, 5);
  const auto few = draw_label_noise({.kind = "symmetric", .rate = 0.1, .seed = 9}, train, names(5));
  const auto many = draw_label_noise({.kind = "symmetric", .rate = 0.4, .seed = 9}, train, names(5));
  EXPECT_TRUE(std::equal(few.rows.begin(), few.rows.end(), many.rows.begin()));
}

TEST(LabelNoise, PairFlipGivesTheNextClass) {
  const auto noise = draw_label_noise({.kind = "pair_flip", .rate = 0.25, .seed = 5}, in_turn(400, 4), names(4));
  ASSERT_EQ(noise.rows.size(), 100U);
  std::set<int64_t> rows;
  for (const auto& row : noise.rows) {
    rows.insert(row.row);
    EXPECT_EQ(row.given_label, (row.true_label + 1) % 4);
  }
  EXPECT_EQ(rows.size(), 100U);
}

TEST(LabelNoise, EveryKindIsDrawnTwiceAlikeAndNoneChangesNothing) {
  const auto train = in_turn(100, 4);
  for (const auto& kind : noise_kinds()) {
    EXPECT_FALSE(kind.summary.empty());
    if (kind.name == "file" || kind.name == "class_matrix") continue;  // need files
    const NoiseOptions options{.kind = kind.name, .rate = 0.1, .class_name = "class 3", .seed = 64};
    const auto noise = draw_label_noise(options, train, names(4));
    EXPECT_EQ(noise.rows.size(), kind.name == "none" ? 0U : 10U) << kind.name;
    EXPECT_EQ(draw_label_noise(options, train, names(4)).rows, noise.rows) << kind.name;
  }
}

TEST(LabelNoise, RateZeroWarns) {
  const auto noise = draw_label_noise(paper(0, "class 1", 28), in_turn(12, 4), names(4));
  EXPECT_TRUE(noise.rows.empty());
  EXPECT_EQ(noise.warnings, (std::vector<std::string>{"noise.rate is 0: no label is changed"}));
}

TEST(LabelNoise, OneListOfWarningsTellsOfAClassThatIsNotUsed) {
  const auto noise =
      draw_label_noise({.kind = "symmetric", .rate = 0.5, .class_name = "class 1"}, in_turn(12, 4), names(4));
  EXPECT_EQ(noise.warnings, (std::vector<std::string>{"noise.class is used by kind paper only"}));
}

std::string refused(const NoiseOptions& options, const Dataset& train, int num_classes) {
  return error_of([&] { draw_label_noise(options, train, names(num_classes)); }, ErrorKind::Usage);
}

TEST(LabelNoise, NamesOptionsThatFitNoData) {
  const auto train = in_turn(12, 3);
  EXPECT_EQ(refused(paper(0.5, "clas 1", 1), train, 3),
            "noise.class: class \"clas 1\" does not exist; classes are class 0, class 1, class 2; did you mean "
            "\"class 1\"?");
  EXPECT_EQ(refused(paper(0.5, "3", 1), train, 3),
            "noise.class: class \"3\" does not exist; classes are class 0, class 1, class 2");
  EXPECT_EQ(refused(paper(0.5, "", 1), train, 3),
            "noise.class is not set; kind paper flips the rows of one class: class 0, class 1, class 2");
  EXPECT_EQ(refused(paper(1.5, "class 1", 1), train, 3),
            "noise.rate is 1.5; expected a fraction from 0 to 1 (1 % is 0.01)");
  EXPECT_EQ(refused({.kind = "symmetric", .rate = -0.1}, train, 3),
            "noise.rate is -0.1; expected a fraction from 0 to 1 (1 % is 0.01)");
  EXPECT_EQ(refused({.kind = "symmetric", .rate = std::nan("")}, train, 3),
            "noise.rate is nan; expected a fraction from 0 to 1 (1 % is 0.01)");
  EXPECT_EQ(refused({.kind = "pair_flip", .rate = 0.01}, train, 3),
            "noise.rate 0.01 of 12 training rows is less than one row");
  EXPECT_EQ(refused({.kind = "symmetric", .rate = 0.5}, in_turn(12, 1), 1),
            "noise.kind symmetric needs two classes; the data has 1");
  EXPECT_EQ(refused({.kind = "symetric", .rate = 0.5}, train, 3),
            "noise.kind is \"symetric\"; known: none, paper, symmetric, pair_flip, class_matrix, instance, file; did "
            "you mean "
            "\"symmetric\"?");
  EXPECT_EQ(refused({.kind = "file"}, train, 3),
            "noise.kind file needs noise.file, or true_label_column when the data carries both labels");
}

TEST(LabelNoise, TheDataMayCarryTheNoise) {
  auto train = labelled({0, 1, 2, 1});
  train.given_labels = {0, 2, 2, 0};
  EXPECT_EQ(draw_label_noise({.kind = "file"}, train, names(3)).rows,
            (std::vector<NoisyRow>{{1, 3, 2, 1}, {3, 9, 0, 1}}));
  EXPECT_EQ(refused({.kind = "none"}, train, 3), "true_label_column is the noise of kind file; noise.kind is none");
  EXPECT_EQ(refused({.kind = "file", .file = "n.csv"}, train, 3),
            "noise.file (n.csv) and true_label_column are both given");
}

class NoiseFile : public DataFiles {};

TEST_F(NoiseFile, WrittenNoiseReadsBackEqual) {
  const auto train = in_turn(60, 3);
  const std::vector<std::string> classes = {"plain", "a, b", "say \"no\"\nplease"};
  const auto noise = draw_label_noise({.kind = "symmetric", .rate = 0.5, .seed = 3}, train, classes);
  const auto path = write("noise.csv", format_noise(noise.rows, classes));
  EXPECT_EQ(draw_label_noise({.kind = "file", .file = path}, train, classes).rows, noise.rows);
}

TEST(NoiseFormat, HasTheContractsColumns) {
  EXPECT_EQ(format_noise(std::vector<NoisyRow>{{1, 3, 2, 1}, {0, 0, 1, 0}}, names(3)),
            "row,source_row,given_label,true_label\n1,3,class 2,class 1\n0,0,class 1,class 0\n");
}

std::string refused_file(const std::string& rows,
                         const std::string& header = "row,source_row,given_label,true_label\n") {
  const auto train = labelled({0, 1, 2, 1});
  return error_of([&] { parse_noise(header + rows, "n.csv", train, names(3)); }, ErrorKind::Data);
}

TEST(NoiseFormat, NamesTheLineThatDoesNotFitTheData) {
  EXPECT_EQ(refused_file("1,3,class 2,class 1\n4,12,class 0,class 1\n"),
            "n.csv:3: row 4 is not in the training set, which has rows 0 to 3");
  EXPECT_EQ(refused_file("-1,0,class 0,class 1\n"),
            "n.csv:2: row -1 is not in the training set, which has rows 0 to 3");
  EXPECT_EQ(refused_file("1,3,class 2,class 1\n\n1,3,class 0,class 1\n"), "n.csv:4: row 1 is listed twice");
  EXPECT_EQ(refused_file("1,4,class 2,class 1\n"), "n.csv:2: row 1 has source_row 4; in the data it is 3");
  EXPECT_EQ(refused_file("1,3,class 2,class 0\n"),
            "n.csv:2: row 1 has true_label \"class 0\"; in the data it is \"class 1\"");
  EXPECT_EQ(refused_file("1,3,class 1,class 1\n"), "n.csv:2: row 1 has its true label as given_label");
  EXPECT_EQ(refused_file("1,3,clas 2,class 1\n"),
            "n.csv:2: given_label: class \"clas 2\" does not exist; classes are class 0, class 1, class 2; did you "
            "mean \"class 2\"?");
  EXPECT_EQ(refused_file("one,3,class 2,class 1\n"), "n.csv:2: row is \"one\"; expected an integer");
  EXPECT_EQ(refused_file("1,,class 2,class 1\n"), "n.csv:2: source_row is \"\"; expected an integer");
  EXPECT_EQ(refused_file("1,3\n"), "n.csv:2: expected 4 fields as in the header, found 2");
  EXPECT_EQ(refused_file("", "row,source_row,given,true_label\n"),
            "n.csv:1: no column \"given_label\"; columns are row, source_row, given, true_label");
  EXPECT_EQ(refused_file("", ""),
            "n.csv:1: expected the columns row, source_row, given_label, true_label, found an empty file");
}

TEST(NoiseFormat, TakesFurtherColumnsAndAnotherOrder) {
  const auto train = labelled({0, 1, 2, 1});
  EXPECT_EQ(
      parse_noise("true_label,note,row,given_label,source_row\nclass 1,x,3,class 0,9\n", "n.csv", train, names(3)),
      (std::vector<NoisyRow>{{3, 9, 0, 1}}));
}

}  // namespace
}  // namespace normscope
