// The study's preparations: class orders, the swap, the subset, and the golden lists on the real files.
#include "data/preparations.h"

#include <algorithm>

#include "data/data_test.h"
#include "data/golden.h"
#include "data/label_noise.h"

namespace normscope {
namespace {

using Names = std::vector<std::string>;

const Names kEmotions = {"sadness", "joy", "love", "anger", "fear", "surprise"};

std::string shared_data(const std::string& name) { return std::string(NORMSCOPE_SOURCE) + "/../shared/data/" + name; }

bool is_absent(const std::string& path) { return !std::filesystem::exists(path); }

void expect_noise(const nlohmann::json& entry, const DataSplits& splits, const std::string& class_name) {
  const auto noise = draw_label_noise({.kind = "paper",
                                       .rate = entry["rate_percent"].get<double>() / 100,
                                       .class_name = class_name,
                                       .seed = entry["seed"]},
                                      splits.train, splits.classes);
  std::vector<int64_t> rows;
  std::vector<int> given;
  for (const auto& row : noise.rows) {
    rows.push_back(row.row);
    given.push_back(row.given_label);
    EXPECT_EQ(row.true_label, entry["class_index"]);
    EXPECT_EQ(row.source_row, splits.train.source_rows[static_cast<size_t>(row.row)]);
  }
  EXPECT_EQ(rows, entry["noise_index"]);
  EXPECT_EQ(given, entry["noise_label"]);
}

TEST(GoldenText, EmotionsNoiseEqualsEveryList) {
  const auto train = shared_data("emotions/train.txt");
  if (is_absent(train)) GTEST_SKIP() << "absent: " << train;
  const auto splits = load_splits(train, shared_data("emotions/val.txt"), shared_data("emotions/test.txt"),
                                  {.prepare = "emotions"}, {});
  EXPECT_EQ(splits.classes, kEmotions);
  EXPECT_EQ(splits.train.size(), 16000U);
  EXPECT_EQ(splits.validation.size(), 2000U);
  EXPECT_EQ(splits.test.size(), 2000U);
  const int64_t expected[] = {4666, 5362, 1304, 2159, 1937, 572};
  for (int c = 0; c < 6; ++c) EXPECT_EQ(std::ranges::count(splits.train.labels, c), expected[c]);
  for (const auto& entry : fixture_json("golden/golden_noise_text.json", "emotions"))
    expect_noise(entry, splits, "surprise");
}

TEST(GoldenText, NewsSplitAndNoiseEqualEveryList) {
  const auto train = shared_data("news/train.csv");
  if (is_absent(train)) GTEST_SKIP() << "absent: " << train;
  for (const auto& entry : fixture_json("golden/golden_noise_text.json", "news")) {
    const auto splits =
        load_splits(train, "", shared_data("news/test.csv"), {.prepare = "news", .split_seed = entry["seed"]}, {});
    EXPECT_EQ(splits.train.source_rows, entry["train_rows"]);
    EXPECT_EQ(splits.validation.source_rows, entry["validation_rows"]);
    EXPECT_EQ(splits.test.size(), 828U);
    expect_noise(entry, splits, "tech");
  }
}

// The lists alone fix which rows are of the noisy class only in part; what they do fix holds without the
// data.
TEST(GoldenText, WrongLabelsFollowFromSeedAndRow) {
  const auto golden = fixture_json("golden/golden_noise_text.json");
  int checked = 0;
  for (const char* name : {"emotions", "news"}) {
    for (const auto& entry : golden[name]) {
      const auto indices = entry["noise_index"].get<std::vector<int64_t>>();
      const int noisy_class = entry["class_index"];
      std::vector<int> given;
      for (const int64_t row : indices) {
        // A training set in which this row is the only one of the class, so that it is the one drawn.
        Dataset train;
        train.labels.assign(static_cast<size_t>(row) + 1, noisy_class == 0 ? 1 : 0);
        train.labels.back() = noisy_class;
        train.source_rows.resize(train.labels.size());
        const auto noise = draw_label_noise(
            {.kind = "paper", .rate = 1, .class_name = std::to_string(noisy_class), .seed = entry["seed"]}, train,
            kEmotions);
        ASSERT_EQ(noise.rows.size(), 1U);
        given.push_back(noise.rows[0].given_label);
        ++checked;
      }
      EXPECT_EQ(given, entry["noise_label"]);
    }
  }
  EXPECT_EQ(checked, 3 * 160 + 320 + 3 * 42);
}

TEST(Preparations, HaveUniqueNamesAndSummaries) {
  Names names;
  for (const auto& preparation : preparations()) {
    EXPECT_FALSE(preparation.summary.empty());
    names.push_back(preparation.name);
  }
  EXPECT_EQ(names,
            (Names{"plain", "emotions", "tweettopic", "news", "newsgroups", "cifar10", "cifar100", "utkface", "nico"}));
}

class PreparedFiles : public DataFiles {};

TEST_F(PreparedFiles, EmotionsTakesNamesAndNumbers) {
  const auto names = write("names.txt", "text;label_name\na;joy\nb;surprise\nc;joy\n");
  const auto by_name = load_splits(names, "", "", {.prepare = "emotions"}, {});
  EXPECT_EQ(by_name.classes, kEmotions);
  EXPECT_EQ(by_name.train.labels, (std::vector<int>{1, 5, 1}));
  const auto numbers = write("numbers.jsonl", "{\"text\": \"a\", \"label\": 1}\n{\"text\": \"b\", \"label\": 5}\n");
  const auto by_number = load_splits(numbers, "", "", {.prepare = "emotions"}, {});
  EXPECT_EQ(by_number.classes, (Names{"0", "1", "2", "3", "4", "5"}));
  EXPECT_EQ(by_number.train.labels, (std::vector<int>{1, 5}));
  const auto odd = write("odd.txt", "text;label_name\na;joy\nb;happy\nc;joy\n");
  EXPECT_EQ(error_of([&] { load_splits(odd, "", "", {.prepare = "emotions"}, {}); }, ErrorKind::Data),
            odd +
                ":3: label \"happy\"; the preparation expects sadness, joy, love, anger, fear, surprise or their "
                "numbers from 0");
  EXPECT_EQ(error_of(
                [&] {
                  load_splits(names, "", "", {.labels = {"joy", "surprise"}, .prepare = "emotions"}, {});
                },
                ErrorKind::Usage),
            "labels: prepare = \"emotions\" fixes the class order to sadness, joy, love, anger, fear, surprise");
}

TEST_F(PreparedFiles, NewsTakesItsOwnColumnsUnlessOthersAreNamed) {
  std::string bytes = "Title,Excerpt,Category\n";
  for (int i = 0; i < 60; ++i) bytes += "t,\"e, " + std::to_string(i) + "\"," + (i % 2 ? "tech" : "health") + "\n";
  const auto file = write("train.csv", bytes);
  const auto fails = [&](DataOptions options) { load_splits(file, "", "", options, {}); };
  EXPECT_EQ(error_of([&] { fails({.prepare = "news"}); }, ErrorKind::Data), "no error");
  const auto splits = load_splits(file, "", "", {.prepare = "news"}, {});
  EXPECT_EQ(splits.validation.size(), 6U);
  EXPECT_TRUE(splits.train.texts[0].starts_with("e, "));
  EXPECT_EQ(splits.train.labels[0], splits.train.source_rows[0] % 2 ? 5 : 3);
  const auto titles = load_splits(file, "", "", {.text_column = "Title", .prepare = "news"}, {});
  EXPECT_EQ(titles.train.texts[0], "t");
}

TEST_F(PreparedFiles, TweetTopicExchangesLabelsThreeAndFive) {
  const auto numbers = write("numbers.csv", "text,label\na,3\nb,5\nc,4\nd,0\n");
  const auto test = write("test.csv", "text,label\ne,5\n");
  const auto by_number = load_splits(numbers, "", test, {.prepare = "tweettopic"}, {});
  EXPECT_EQ(by_number.classes, (Names{"0", "1", "2", "3", "4", "5"}));
  EXPECT_EQ(by_number.train.labels, (std::vector<int>{5, 3, 4, 0}));
  EXPECT_EQ(by_number.test.labels, (std::vector<int>{3}));
  const auto names = write("names.csv", "text,label\na,daily_life\nb,science_&_technology\n");
  EXPECT_EQ(load_splits(names, "", "", {.prepare = "tweettopic"}, {}).train.labels, (std::vector<int>{5, 3}));
}

TEST_F(PreparedFiles, NewsgroupsDrawsTheStudysRowsOfSevenClasses) {
  // Rows interleave the classes, so row r of class c is file row 9 r + c; classes 7 and 8 are left out.
  std::string bytes;
  for (int row = 0; row < 600; ++row)
    for (int label = 0; label < 9; ++label)
      bytes += "{\"text\": \"" + std::to_string(label) + " " + std::to_string(row) +
               "\", \"label\": " + std::to_string(label) + "}\n";
  const auto train = write("train.jsonl", bytes);
  const auto test = write("test.jsonl", "{\"text\": \"x\", \"label\": 8}\n{\"text\": \"y\", \"label\": 6}\n");
  for (const auto& entry : fixture_json("data/random_reference.json", "newsgroups")) {
    const auto splits = load_splits(train, "", test, {.prepare = "newsgroups", .split_seed = entry["seed"]}, {});
    EXPECT_EQ(splits.train.size(), 2079U);
    EXPECT_EQ(splits.train.source_rows, entry["train"]);
    EXPECT_EQ(splits.validation.source_rows, entry["validation"]);
    EXPECT_EQ(splits.test.labels, (std::vector<int>{6}));
    EXPECT_EQ(splits.test.source_rows, (std::vector<int64_t>{1}));
  }
  EXPECT_EQ(error_of([&] { load_splits(test, "", "", {.prepare = "newsgroups"}, {}); }, ErrorKind::Data),
            test + ": class \"0\" has 0 rows; the preparation newsgroups draws 480");
}

}  // namespace
}  // namespace normscope
