// The study's picture sets: splits against NumPy and scikit-learn, the golden CIFAR lists, names and folders.
#include <algorithm>
#include <set>

#include "data/data_test.h"
#include "data/formats.h"
#include "data/golden.h"
#include "data/label_noise.h"
#include "data/preparations.h"
#include "data/sha256.h"

namespace normscope {
namespace {

using Names = std::vector<std::string>;

const Names kNico = {"car",   "flower", "penguin", "camel", "chair",   "monitor",  "truck", "wheat",
                     "sword", "seal",   "lion",    "fish",  "dolphin", "lifeboat", "tank"};

// tests/reference/image_splits.py has the same rules of the row number.
int label_of(const std::string& prepare, int64_t row) {
  if (prepare == "cifar10") return static_cast<int>((row + row / 37) % 10);
  if (prepare == "cifar100") return static_cast<int>((row + row / 37) % 100);
  return static_cast<int>((row * row + row / 3) % (prepare == "nico" ? 15 : 5));
}

PreparationInput input_of(const std::string& prepare, int64_t seed) {
  const int64_t count = prepare == "cifar10" ? 25000 : prepare == "cifar100" ? 55000 : prepare == "nico" ? 997 : 503;
  PreparationInput input;
  input.split_seed = seed;
  input.train.file = "train";
  input.train.has_images = input.train.has_labels = true;
  for (int64_t row = 0; row < count; ++row) {
    const int label = label_of(prepare, row);
    const auto name = prepare == "nico" ? kNico[static_cast<size_t>(label)] : std::to_string(label);
    input.train.rows.push_back({.image = {.file = "f"}, .label = name, .source_row = row});
  }
  return input;
}

std::string digest(const SourceRows& file) {
  std::string numbers;
  for (const auto& row : file.rows) numbers += (numbers.empty() ? "" : ",") + std::to_string(row.source_row);
  return sha256_hex(numbers);
}

TEST(ImagePreparations, SplitAsNumpyAndScikitLearnDo) {
  const auto reference =
      nlohmann::json::parse(std::ifstream(std::string(NORMSCOPE_FIXTURES) + "/data/image_splits.json"));
  ASSERT_EQ(reference.size(), 12U);
  for (const auto& entry : reference) {
    const std::string name = entry["prepare"];
    SCOPED_TRACE(name + " " + entry["seed"].dump());
    auto input = input_of(name, entry["seed"]);
    find_preparation(name).prepare(input);
    const SourceRows* parts[] = {&input.train, &input.validation, &input.test};
    ASSERT_EQ(parts[2]->rows.empty(), entry["sizes"].size() == 2);
    for (size_t i = 0; i < entry["sizes"].size(); ++i) {
      ASSERT_EQ(parts[i]->rows.size(), entry["sizes"][i].get<size_t>());
      EXPECT_TRUE(parts[i]->has_images && parts[i]->has_labels);
      std::vector<int64_t> first;
      for (size_t k = 0; k < 8; ++k) first.push_back(parts[i]->rows[k].source_row);
      EXPECT_EQ(first, entry["first"][i]);
      EXPECT_EQ(digest(*parts[i]), entry["sha256"][i].get<std::string>());
    }
  }
}

void expect_golden_lists(const std::string& prepare, const std::string& file, const std::string& label_column,
                         const std::string& key, const std::string& noisy_class) {
  const auto path = std::string(NORMSCOPE_SOURCE) + "/../shared/data/cifar-n/" + file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "absent: " << path;
  DataOptions options{.text_column = "torchvision_train_index", .label_column = label_column, .prepare = prepare};
  for (const auto& entry : fixture_json("golden/golden_noise.json", key)) {
    options.split_seed = entry["seed"];
    const auto splits = load_splits(path, "", "", options, {});
    std::string labels;
    for (const int label : splits.train.labels) labels += static_cast<char>(label);
    EXPECT_EQ(sha256_hex(labels), entry["train_labels_sha256"].get<std::string>());
    const auto noise =
        draw_label_noise({.kind = "paper", .rate = 0.01, .class_name = noisy_class, .seed = entry["seed"]},
                         splits.train, splits.classes);
    std::vector<int64_t> rows;
    std::vector<int> given;
    for (const auto& row : noise.rows) {
      rows.push_back(row.row);
      given.push_back(row.given_label);
    }
    EXPECT_EQ(rows, entry["noise_index"]);
    EXPECT_EQ(given, entry["noise_label"]);
    EXPECT_TRUE(splits.notes.empty());  // the study's 16000 and 4000, 40000 and 10000
  }
}

TEST(GoldenCifar, Cifar10FromTheRealLabelsEqualsEveryList) {
  expect_golden_lists("cifar10", "CIFAR-10N.csv", "clean_label", "cifar10_class9_n160", "9");
}

TEST(GoldenCifar, Cifar100FromTheRealLabelsEqualsEveryList) {
  expect_golden_lists("cifar100", "CIFAR-100N.csv", "clean_fine", "cifar100_class6_n400", "6");
}

TEST(ImagePreparations, CifarNeedsItsClassesAndRows) {
  auto input = input_of("utkface", 28);
  input.train.rows.resize(50);
  EXPECT_EQ(error_of([&] { prepare_cifar10(input); }, ErrorKind::Data), "train: 5 classes; the preparation expects 10");
  input = input_of("cifar10", 28);
  std::erase_if(input.train.rows, [](const SourceRow& row) { return row.label == "3" && row.source_row > 5000; });
  EXPECT_EQ(error_of([&] { prepare_cifar10(input); }, ErrorKind::Data),
            "train: class \"3\" has 487 rows; the preparation draws 2000");
}

class PreparedPictures : public DataFiles {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
};

TEST_F(PreparedPictures, UtkFaceTakesLabelsFromNames) {
  for (int i = 0; i < 50; ++i)
    write("utk/" + std::to_string(20 + i % 2) + "_" + std::to_string(i / 2 % 2) + "_" + std::to_string(i % 5) +
              "_2017" + std::to_string(100 + i) + ".jpg.chip.jpg",
          std::to_string(i));
  write("utk/61_1_20170109142408075.jpg.chip.jpg", "x");
  write("utk/61_1_3_1_2017.jpg", "y");
  const auto splits = load_splits(path("utk"), "", "", {.prepare = "utkface"}, {});
  EXPECT_EQ(splits.classes, (Names{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(splits.train.size(), 32U);
  EXPECT_EQ(splits.validation.size(), 8U);
  EXPECT_EQ(splits.test.size(), 10U);
  std::set<std::string> files;
  for (const auto* part : {&splits.train, &splits.validation, &splits.test})
    for (size_t i = 0; i < part->size(); ++i) {
      const auto name = std::filesystem::path(part->images[i].file).filename().string();
      EXPECT_EQ(name[5] - '0', part->labels[i]) << name;
      files.insert(name);
    }
  EXPECT_EQ(files.size(), 50U);
  ASSERT_EQ(splits.notes.size(), 3U);
  EXPECT_EQ(splits.notes[0], path("utk") +
                                 ": dropped 2 pictures whose names are not age_gender_race_date: "
                                 "61_1_20170109142408075.jpg.chip.jpg, 61_1_3_1_2017.jpg");
  EXPECT_EQ(splits.notes[2], "training / validation / test rows: 32 / 8 / 10; the study has 15171 / 3793 / 4741");

  DataOptions options{.label_column = "age", .prepare = "utkface"};
  EXPECT_EQ(load_splits(path("utk"), "", "", options, {}).classes, (Names{"20", "21"}));
  options.label_column = "gender";
  const auto loaded = load_dataset(path("utk"), options, Names{"0", "1"}, true);
  EXPECT_EQ(loaded.rows.size(), 50U);
  EXPECT_EQ(loaded.notes.size(), 1U);
  options.label_column = "name";
  EXPECT_EQ(error_of([&] { load_splits(path("utk"), "", "", options, {}); }, ErrorKind::Usage),
            "label_column is \"name\"; UTKFace's names tell age, gender and race");
  EXPECT_EQ(error_of([&] { load_splits(path("utk"), "", path("utk"), {.prepare = "utkface"}, {}); }, ErrorKind::Usage),
            "prepare = \"utkface\" splits test rows off train; leave test out (" + path("utk") + ")");
}

TEST_F(PreparedPictures, NicoTakesItsClassesInTheStudysOrder) {
  Names folders = kNico;
  folders.push_back("airplane");
  folders.push_back("zebra");
  for (const auto& name : folders)
    for (int i = 0; i < 10; ++i) write("n/" + name + "/" + std::to_string(i) + ".jpg", name + std::to_string(i));
  const auto splits = load_splits(path("n"), "", "", {.prepare = "nico"}, {});
  EXPECT_EQ(splits.classes, kNico);
  EXPECT_EQ(splits.train.size(), 120U);
  EXPECT_EQ(splits.validation.size(), 15U);
  EXPECT_EQ(splits.test.size(), 15U);
  for (int c = 0; c < 15; ++c) EXPECT_EQ(std::ranges::count(splits.train.labels, c), 8);
  for (size_t i = 0; i < 15; ++i)
    EXPECT_EQ(std::filesystem::path(splits.test.images[i].file).parent_path().filename(),
              kNico[static_cast<size_t>(splits.test.labels[i])]);
  ASSERT_EQ(splits.notes.size(), 3U);
  EXPECT_EQ(splits.notes[0], "left out folders that are none of the study's 15 classes: airplane, zebra");
  EXPECT_EQ(error_of([&] { load_splits(path("n"), "", "", {.prepare = "nico", .validation_fraction = 0.1}, {}); },
                     ErrorKind::Usage),
            "prepare = \"nico\" splits validation rows off train; leave validation and validation_fraction out");
}

}  // namespace
}  // namespace normscope
