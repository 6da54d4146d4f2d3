// Files of many pictures: idx and CIFAR batches, where pixels lie, and what is refused.
#include <algorithm>

#include "data/cifar.h"
#include "data/data_test.h"
#include "data/formats.h"
#include "data/idx.h"
#include "data/image_bytes.h"
#include "data/sha256.h"

namespace normscope {
namespace {

using Names = std::vector<std::string>;

std::string big_endian(uint32_t value) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

std::string idx_bytes(const std::vector<uint32_t>& shape, const std::string& values) {
  std::string bytes{'\0', '\0', '\x08', static_cast<char>(shape.size())};
  for (const uint32_t size : shape) bytes += big_endian(size);
  return bytes + values;
}

// A record whose pixels all are `pixel`.
std::string cifar_record(const std::string& labels, char pixel) { return labels + std::string(3072, pixel); }

Names labels_of(const SourceRows& file) {
  Names labels;
  for (const auto& row : file.rows) labels.push_back(row.label);
  return labels;
}

std::string pixels_of(const ImageSource& source) {
  ImageBytes bytes;
  bytes.open(source);
  return bytes.read(source);
}

class Containers : public DataFiles {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string error(const std::string& name, const ReadOptions& options = {}) const {
    return error_of([&] { read_source_rows(path(name), "auto", options); }, ErrorKind::Data);
  }
};

TEST_F(Containers, IdxLabelsTakeTheNamesBesideThem) {
  write("d/train-images-idx3-ubyte", idx_bytes({2, 2, 3}, "abcdefABCDEF"));
  write("d/train-labels-idx1-ubyte", idx_bytes({2}, std::string("\x01\0", 2)));
  write("d/class_names.txt", "shirt\nbag\n");
  const auto read = read_source_rows(path("d/train-images-idx3-ubyte"), "auto", {});
  EXPECT_EQ(read.rows[0].label, "bag");
  EXPECT_EQ(read.rows[1].label, "shirt");
  EXPECT_EQ(load_splits(path("d"), "", "", {}, {}).classes, (Names{"shirt", "bag"})) << "in the order of the numbers";
  write("d/class_names.txt", "shirt\n");
  EXPECT_NE(error("d/train-images-idx3-ubyte").find("label 1; " + path("d/class_names.txt") + " names 1 classes"),
            std::string::npos);
  write("d/class_names.txt", "bag\nbag\n");
  EXPECT_EQ(error("d/train-images-idx3-ubyte"),
            path("d/class_names.txt") + ": expected 2 different class names, found 1 among 2");
}

TEST_F(Containers, IdxFoldersGiveTrainingAndTestRows) {
  write("d/train-images-idx3-ubyte", idx_bytes({2, 2, 3}, "abcdefABCDEF"));
  write("d/train-labels-idx1-ubyte", idx_bytes({2}, "\x07\x03"));
  write("d/t10k-images-idx3-ubyte", idx_bytes({1, 2, 3}, "uvwxyz"));
  write("d/t10k-labels-idx1-ubyte", idx_bytes({1}, "\x03"));
  const auto splits = load_splits(path("d"), "", path("d"), {}, {});
  EXPECT_EQ(splits.classes, (Names{"3", "7"}));
  EXPECT_EQ(splits.train.labels, (std::vector<int>{1, 0}));
  EXPECT_EQ(splits.test.labels, (std::vector<int>{0}));
  const auto& second = splits.train.images[1];
  EXPECT_EQ(second.width, 3);
  EXPECT_EQ(second.height, 2);
  EXPECT_EQ(second.channels, 1);
  EXPECT_FALSE(second.is_planar);
  EXPECT_EQ(pixels_of(second), "ABCDEF");
  EXPECT_EQ(pixels_of(splits.test.images[0]), "uvwxyz");
  EXPECT_EQ(load_dataset(path("d/train-images-idx3-ubyte"), {}, splits.classes, true).rows.labels, splits.train.labels);
  EXPECT_EQ(load_dataset(path("d"), {}, splits.classes, true).rows.labels, splits.test.labels);
}

TEST_F(Containers, IdxWithoutLabelsServesWhereNoneAreNeeded) {
  write("new-images-idx3-ubyte", idx_bytes({1, 1, 1, 3}, "rgb"));
  EXPECT_EQ(error("new-images-idx3-ubyte"), path("new-images-idx3-ubyte") +
                                                ": no labels file beside it; expected a name ...labels-idx1-ubyte for "
                                                "...images-idx3-ubyte");
  ReadOptions options;
  options.needs_labels = false;
  const auto file = read_source_rows(path("new-images-idx3-ubyte"), "auto", options);
  EXPECT_FALSE(file.has_labels);
  EXPECT_EQ(file.rows[0].image.channels, 3);
  EXPECT_EQ(pixels_of(file.rows[0].image), "rgb");
}

TEST(Idx, NamesTheFileAndWhatIsWrong) {
  const auto message = [](const std::string& bytes) {
    return error_of([&] { parse_idx(bytes, "f"); }, ErrorKind::Data);
  };
  EXPECT_EQ(message(""), "f: 0 bytes are too few for an idx file");
  EXPECT_EQ(message("\x89PNG"), "f: an idx file of bytes starts with 00 00 08; found something else");
  EXPECT_EQ(message(std::string("\0\0\x0d\1", 4)),
            "f: an idx file of bytes starts with 00 00 08; found something else");
  EXPECT_EQ(message(std::string("\0\0\x08\0", 4)), "f: 0 dimensions; expected 1 to 4");
  EXPECT_EQ(message(std::string("\0\0\x08\3\0\0\0\1", 8)), "f: ends in the header");
  EXPECT_EQ(message(idx_bytes({2, 2}, "abc")), "f: the shape [2, 2] does not fit the 3 bytes that follow the header");
  EXPECT_EQ(message(idx_bytes({2, 2}, "abcde")), "f: the shape [2, 2] does not fit the 5 bytes that follow the header");
  EXPECT_EQ(message(idx_bytes({1U << 31, 1U << 31, 4, 1}, "")),  // 2^64 elements
            "f: the shape [2147483648, 2147483648, 4, 1] does not fit the 0 bytes that follow the header");
}

TEST_F(Containers, IdxPairsThatDoNotFitAreRefused) {
  write("d/train-images-idx3-ubyte", idx_bytes({2, 1, 1}, "ab"));
  const auto labels = write("d/train-labels-idx1-ubyte", idx_bytes({3}, "abc"));
  EXPECT_EQ(error("d"), labels + ": [3] labels; " + path("d/train-images-idx3-ubyte") + " has 2 pictures");
  ReadOptions options;
  options.role = SplitRole::Test;
  EXPECT_EQ(error("d", options), path("d") + ": no t10k-images-idx3-ubyte or t10k-images-idx3-ubyte.gz");
  options.role = SplitRole::Validation;
  EXPECT_EQ(error("d", options),
            path("d") + ": idx has no validation files; name an images file or set validation_fraction");
  write("d/train-images-idx3-ubyte", idx_bytes({2, 1}, "ab"));
  EXPECT_EQ(error("d"), path("d/train-images-idx3-ubyte") +
                            ": the shape is [2, 1]; expected [pictures, height, width] or [.., .., .., 3]");
  write("z/t10k-images-idx3-ubyte.gz", "\x1f\x8b\x08");
  options.role = SplitRole::Test;
  options.needs_labels = false;
  EXPECT_EQ(error("z", options), path("z/t10k-images-idx3-ubyte.gz") + ": the gzip file is cut short");
}

// Digests by NumPy: of all pixels, and of all labels as bytes.
TEST(FashionMnist, EveryRowOfTheZippedFilesIsRead) {
  const std::string folder = "/usr/share/datasets/fashion-mnist";  // Debian's dataset-fashion-mnist
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "absent: " << folder;
  const auto splits = load_splits(folder, "", folder, {}, {});
  EXPECT_EQ(splits.classes, (Names{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}));
  EXPECT_TRUE(splits.quality.duplicates.empty() && splits.quality.conflicting.empty());
  const auto expect = [](const Dataset& rows, size_t count, const char* pixels, const char* labels) {
    ASSERT_EQ(rows.images.size(), count);
    ImageBytes bytes;
    bytes.open(rows.images[0]);
    std::string all, numbers;
    for (size_t i = 0; i < count; ++i) {
      all += bytes.read(rows.images[i]);
      numbers += static_cast<char>(rows.labels[i]);
    }
    EXPECT_EQ(sha256_hex(all), pixels);
    EXPECT_EQ(sha256_hex(numbers), labels);
  };
  expect(splits.train, 60000, "2e487a6c89124f78f2d7521542223cafe96f7123c3ca13d447772ac6ecbb3012",
         "657fbd221bfc9f4198cc14b5619cc33ec57c58dd0e47af4d99d6650759e869a7");
  expect(splits.test, 10000, "c867c93ff95360594e8ec3287995350b824dd110b11595c0e13d5423f621867a",
         "3d0e6c6ea990b53b6f8f500a41cac93881d981b315f84578b7d915342ade01e9");
}

TEST_F(Containers, Cifar10FoldersGiveTrainingAndTestBatches) {
  for (int i = 1; i <= 5; ++i)
    write("c/data_batch_" + std::to_string(i) + ".bin",
          cifar_record(std::string(1, static_cast<char>(i)), static_cast<char>('a' + i)) +
              cifar_record(std::string(1, '\0'), static_cast<char>('A' + i)));
  write("c/test_batch.bin", cifar_record("\x09", 't'));
  const auto numbered = read_source_rows(path("c"), "auto", {});
  EXPECT_EQ(labels_of(numbered), (Names{"1", "0", "2", "0", "3", "0", "4", "0", "5", "0"}));
  const auto& picture = numbered.rows[5].image;
  EXPECT_EQ(picture.file, path("c/data_batch_3.bin"));
  EXPECT_EQ(picture.offset, 3074);
  EXPECT_TRUE(picture.is_planar);
  EXPECT_EQ(picture.channels, 3);
  EXPECT_EQ(pixels_of(picture), std::string(3072, 'D'));
  EXPECT_EQ(numbered.rows[5].source_row, 5);

  // Names that bytes would order otherwise keep their places.
  write("c/batches.meta.txt", "z0\ny1\nx2\nw3\nv4\nu5\nt6\ns7\nr8\nq9\n\n");
  const auto splits = load_splits(path("c"), "", "", {}, {});
  EXPECT_EQ(splits.classes, (Names{"z0", "y1", "x2", "w3", "v4", "u5", "t6", "s7", "r8", "q9"}));
  EXPECT_EQ(splits.train.labels, (std::vector<int>{1, 0, 2, 0, 3, 0, 4, 0, 5, 0}));
  EXPECT_EQ(load_dataset(path("c"), {}, splits.classes, true).rows.labels, (std::vector<int>{9}));
  EXPECT_EQ(load_dataset(path("c/data_batch_2.bin"), {}, splits.classes, true).rows.labels, (std::vector<int>{2, 0}));

  std::filesystem::remove(path("c/data_batch_4.bin"));
  EXPECT_EQ(error("c"), path("c") + ": no data_batch_4.bin");
  write("c/batches.meta.txt", "a\nb\n");
  EXPECT_EQ(error("c/data_batch_1.bin"),
            path("c/batches.meta.txt") + ": expected 10 different class names, found 2 among 2");
}

TEST_F(Containers, Cifar100HasTheFineLabels) {
  std::string names;
  for (int i = 0; i < 100; ++i) names += "fine" + std::to_string(i) + "\r\n";
  write("c/fine_label_names.txt", names);
  write("c/train.bin", cifar_record("\x0b\x13", 'x') + cifar_record("\x01\x63", 'y'));
  write("c/test.bin", cifar_record(std::string("\0\0", 2), 'z'));
  const auto file = read_source_rows(path("c"), "auto", {});
  EXPECT_EQ(labels_of(file), (Names{"fine19", "fine99"}));
  EXPECT_EQ(file.classes.size(), 100U);
  EXPECT_EQ(pixels_of(file.rows[1].image), std::string(3072, 'y'));
  ReadOptions options;
  options.role = SplitRole::Test;
  EXPECT_EQ(labels_of(read_source_rows(path("c"), "auto", options)), (Names{"fine0"}));
}

TEST_F(Containers, BadCifarBatchesNameTheirFile) {
  const auto cut = write("cut.bin", std::string(3000, 'x'));
  EXPECT_EQ(error("cut.bin"), cut +
                                  ": 3000 bytes are no whole number of CIFAR-10's records (3073 bytes) or CIFAR-100's "
                                  "(3074)");
  const auto empty = write("empty.bin", "");
  EXPECT_EQ(error("empty.bin"), empty + ": is empty; expected a CIFAR batch");
  const auto wrong = write("w/test_batch.bin", cifar_record("\x01", 'a') + cifar_record("\x0a", 'b'));
  EXPECT_EQ(error("w/test_batch.bin"), wrong + " at byte 3074: label 10; expected 0 to 9");
  ReadOptions options;
  options.skips_bad_rows = true;
  const auto file = read_source_rows(wrong, "auto", options);
  EXPECT_EQ(labels_of(file), (Names{"1"}));
  ASSERT_EQ(file.skipped.size(), 1U);
  EXPECT_EQ(file.skipped[0].source_row, 1);
  write("w/test_batch.bin", cifar_record("\x01", 'a') + "x");
  EXPECT_EQ(error("w/test_batch.bin"), wrong + ": 3074 bytes are no whole number of records of 3073 bytes");
}

TEST_F(Containers, QualityComparesRawPixels) {
  write("c/data_batch_1.bin", cifar_record("\x01", 'a') + cifar_record("\x01", 'b') + cifar_record("\x02", 'a'));
  write("other.bin", cifar_record("\x02", 'b'));
  const auto quality = load_splits(path("c/data_batch_1.bin"), "", path("other.bin"), {}, {}).quality;
  EXPECT_EQ(quality.conflicting, (std::vector<std::vector<int64_t>>{{0, 2}}));
  EXPECT_EQ(quality.test_in_train, (std::vector<std::pair<int64_t, int64_t>>{{0, 1}}));
}

}  // namespace
}  // namespace normscope
