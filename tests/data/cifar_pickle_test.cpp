// CIFAR's pickled batches, with the operations of the published files (tests/reference/cifar_pickles.py).
#include "data/cifar_pickle.h"

#include "core/file.h"
#include "data/data_test.h"
#include "data/formats.h"
#include "data/image_bytes.h"
#include "data/sha256.h"

namespace normscope {
namespace {

using Names = std::vector<std::string>;

std::string fixture(const std::string& name) {
  return read_file(std::string(NORMSCOPE_FIXTURES) + "/data/cifar_pickles/" + name, ErrorKind::Data);
}

// Digests of each picture's bytes by Python's pickle and NumPy.
Names digests_of(const std::vector<ImageSource>& images) {
  Names digests;
  ImageBytes bytes;
  for (const auto& image : images) {
    bytes.open(image);
    digests.push_back(sha256_hex(bytes.read(image)).substr(0, 16));
  }
  return digests;
}

class CifarPickles : public DataFiles {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
};

TEST_F(CifarPickles, Cifar10RowsPointIntoTheFiles) {
  for (int i = 1; i <= 5; ++i) write("c/data_batch_" + std::to_string(i), fixture("ten"));
  write("c/test_batch", fixture("ten"));
  EXPECT_EQ(load_splits(path("c"), "", "", {}, {}).classes.back(), "9");
  write("c/batches.meta", fixture("ten_names"));
  const auto splits = load_splits(path("c"), "", path("c/test_batch"), {}, {});
  EXPECT_EQ(splits.classes,
            (Names{"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"}));
  EXPECT_EQ(splits.train.labels, (std::vector<int>{6, 9, 6, 9, 6, 9, 6, 9, 6, 9}));
  EXPECT_EQ(digests_of(splits.test.images), (Names{"39c9591104fb28db", "dd852df1d63d4c77"}));
  EXPECT_TRUE(splits.test.images[0].is_planar);
  EXPECT_EQ(splits.quality.duplicates.size(), 2U);
}

TEST_F(CifarPickles, Cifar100HasTheFineLabels) {
  write("c/train", fixture("hundred"));
  write("c/meta", "");
  const auto folder = path("c");
  EXPECT_EQ(find_format("auto", folder).name, "cifar");
  std::filesystem::remove(path("c/meta"));
  EXPECT_EQ(find_format("auto", folder).name, "image_folder");
  const auto splits = load_splits(folder, "", "", {.format = "cifar"}, {});
  EXPECT_EQ(splits.classes.size(), 100U);
  EXPECT_EQ(splits.train.labels, (std::vector<int>{19, 99, 0}));
  EXPECT_EQ(digests_of(splits.train.images), (Names{"5ac4f1bc3276c417", "28e4c54e9841350d", "8433a1747382467c"}));
}

TEST_F(CifarPickles, NothingElseIsTakenAndTheFileIsNamed) {
  const auto message = [](const std::string& bytes) {
    return error_of([&] { parse_cifar_pickle(bytes, "f"); }, ErrorKind::Data);
  };
  EXPECT_EQ(message(fixture("eval")),
            "f: byte 20: asks for '__builtin__ eval', which a CIFAR batch does not need; refused, not executed");
  EXPECT_EQ(message(fixture("ten_names")), "f: no list of labels");
  EXPECT_EQ(message("\x80\x02]."), "f: expected a dict, found something else");
  auto bytes = fixture("ten");
  for (size_t size = 0; size < bytes.size(); size += size < 300 ? 1 : 97)
    EXPECT_NE(message(bytes.substr(0, size)), "no error") << size;
  bytes[bytes.find("K\x06K\x09")] = '\xff';
  EXPECT_NE(message(bytes).find("refused"), std::string::npos) << message(bytes);
  bytes = fixture("ten");
  bytes.replace(bytes.find("K\x06K\x09"), 2, "");  // a label fewer
  EXPECT_EQ(message(bytes), "f: data is not of shape (1, 3072), as its labels are 1");
  bytes = fixture("ten");
  bytes[bytes.find("u1", bytes.find("dtype"))] = 'i';
  EXPECT_NE(message(bytes).find("expected an array of unsigned bytes"), std::string::npos);

  bytes = fixture("ten");
  bytes[bytes.find("K\x06K\x09") + 1] = '\x0a';
  const auto batch = write("test_batch", bytes);
  EXPECT_NE(error_of([&] { read_source_rows(batch, "auto", {}); }, ErrorKind::Data).find(": label 10; expected 0 to 9"),
            std::string::npos);
}

}  // namespace
}  // namespace normscope
