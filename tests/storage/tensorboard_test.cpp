// Event files: the checksum's published values, and records taken apart byte by byte.
#include "storage/tensorboard.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/file.h"
#include "storage/tests_storage.h"

namespace normscope {
namespace {

// Source: RFC 3720, appendix B.4.
TEST(Crc32c, AgreesWithTheStandardsExamples) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  std::string rising(32, '\0');
  for (size_t i = 0; i < rising.size(); ++i) rising[i] = static_cast<char>(i);
  EXPECT_EQ(crc32c(rising), 0x46dd794eu);
}

// The first record of every event file in the wild: its length's checksum does not depend on the program.
TEST(EventRecord, FramesBytesByLengthAndChecksums) {
  const auto record = event_record("abc");
  ASSERT_EQ(record.size(), 8u + 4 + 3 + 4);
  EXPECT_EQ(record.substr(0, 8), std::string("\3\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(record.substr(12, 3), "abc");
  uint32_t stored = 0;
  std::memcpy(&stored, record.data() + 15, 4);
  const uint32_t crc = stored - 0xa282ead8u, unmasked = crc << 15 | crc >> 17;
  EXPECT_EQ(unmasked, 0x364b3fb7u);  // crc32c("abc")
}

class TensorboardTest : public FreshFolder {};

TEST_F(TensorboardTest, WritesOneFileOfARunThatHasReadings) {
  auto store = RunStore::open(folder() / "normscope.db");
  store.create_run(example_run("trained"));
  store.create_run(example_run("waiting"));
  EpochMetrics row;
  row.test_accuracy = 50;
  store.add_epoch("trained", row, std::vector<Reading>{{0, "train", "weight_drift", 2, "attention", 0.5}});
  export_tensorboard(store, folder() / "events");
  export_tensorboard(store, folder() / "events");
  EXPECT_FALSE(std::filesystem::exists(folder() / "events/waiting"));
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder() / "events/trained"))
    files.push_back(entry.path());
  ASSERT_EQ(files.size(), 1u);
  const auto bytes = read_file(files[0], ErrorKind::Run);
  EXPECT_NE(bytes.find("brain.Event:2"), std::string::npos);
  EXPECT_NE(bytes.find("test/accuracy\x15" + std::string("\0\0\x48\x42", 4)), std::string::npos) << "50 as a float";
  EXPECT_NE(bytes.find("weight_drift/train/2.attention"), std::string::npos);
  EXPECT_EQ(bytes.find("test/loss"), std::string::npos) << "what is not defined is not written";
}

}  // namespace
}  // namespace normscope
