#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/file.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/text.h"

namespace normscope {
namespace {

TEST(Random, StreamsAreNamedByPurposeAndRepeat) {
  RandomStream a(28, "noise"), b(28, "noise"), c(28, "split"), d(64, "noise");
  const auto first = a.bits();
  EXPECT_EQ(first, b.bits());
  EXPECT_NE(first, c.bits());
  EXPECT_NE(first, d.bits());
}

TEST(Random, NormalHasMeanZeroAndVarianceOne) {
  RandomStream random(1, "init");
  double sum = 0, squares = 0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.01);  // 4.5 standard errors
  EXPECT_NEAR(squares / kDraws, 1, 0.02);
}

TEST(Random, BelowIsUniformAndInRange) {
  RandomStream random(2, "test");
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
  for (const int n : counts) EXPECT_NEAR(n, 10000, 500);
}

TEST(Random, ShuffleIsAPermutation) {
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 0);
  RandomStream random(3, "shuffle");
  auto shuffled = values;
  shuffle(shuffled, random);
  EXPECT_NE(shuffled, values);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, values);
}

TEST(Text, FindsInvalidUtf8) {
  EXPECT_EQ(find_invalid_utf8("plain, caf\xc3\xa9, \xf0\x9f\x98\x80"), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("ab\xff"), 2u);
  EXPECT_EQ(find_invalid_utf8("\xc0\xaf"), 0u);          // overlong
  EXPECT_EQ(find_invalid_utf8("x\xed\xa0\x80"), 1u);     // surrogate
  EXPECT_EQ(find_invalid_utf8("x\xe2\x82"), 1u);         // cut short
  EXPECT_EQ(find_invalid_utf8("\xf4\x90\x80\x80"), 0u);  // above U+10FFFF
}

TEST(Text, SuggestsOnlyNearNames) {
  const std::vector<std::string> known = {"learning_rate", "batch_size", "epochs"};
  EXPECT_EQ(nearest_name("learnin_rate", known), "learning_rate");
  EXPECT_EQ(nearest_name("epoch", known), "epochs");
  EXPECT_EQ(nearest_name("zzz", known), "");
}

TEST(Text, NumbersReadBackExactly) {
  for (const double x : {0.1, 1e-300, 2.0 / 3, 12345678901234567.0}) EXPECT_EQ(std::stod(format_number(x)), x);
  EXPECT_EQ(format_number(std::nan("")), "");
}

TEST(Parallel, CoversEveryIndexOnceAndRethrows) {
  std::vector<int> hits(1000);
  parallel_ranges(hits.size(), 3, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) ++hits[i];
  });
  EXPECT_EQ(std::set<int>(hits.begin(), hits.end()), std::set<int>{1});
  EXPECT_THROW(parallel_ranges(10, 2, [](size_t, size_t) { throw Error(ErrorKind::Data, "x"); }), Error);
}

TEST(File, AtomicWriteReplacesOrLeavesAlone) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "normscope_file_test";
  std::filesystem::create_directories(folder);
  const auto path = folder / "a.txt";
  write_file_atomically(path, "first");
  {
    AtomicFile abandoned(path);
    abandoned.write("second");
  }
  EXPECT_EQ(read_file(path, ErrorKind::Data), "first");
  EXPECT_EQ(MappedFile(path, ErrorKind::Data).bytes(), "first");
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++files;
  EXPECT_EQ(files, 1u);  // no temporary file stays
  EXPECT_THROW(read_file(folder, ErrorKind::Data), Error);
  EXPECT_THROW(write_file_atomically(folder / "no" / "such", "x"), Error);
}

TEST(File, IsFilledAtPlacesAndMayNeverHaveAPath) {
  const auto folder = std::filesystem::path(testing::TempDir()) / ("places" + std::to_string(::getpid()));
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const auto fill = [](AtomicFile& file) {
    file.reserve(7);
    file.write_at(4, "end");
    file.write_at(0, "abcd");
  };
  auto nameless = AtomicFile::without_path(folder, "things");
  fill(nameless);
  EXPECT_EQ(nameless.map().bytes(), "abcdend");
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  AtomicFile named(folder / "a.bin");
  fill(named);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.bin"));
  named.commit();
  EXPECT_EQ(named.map().bytes(), "abcdend");
  EXPECT_THROW(AtomicFile::without_path(folder / "no", "things"), Error);
}

TEST(Text, HexadecimalKeepsTheLastDigits) {
  EXPECT_EQ(hexadecimal(0xfedcba9876543210ULL), "fedcba9876543210");
  EXPECT_EQ(hexadecimal(0xabcULL), "0000000000000abc");
  EXPECT_EQ(hexadecimal(0xfedcba9876543210ULL, 8), "76543210");
}

}  // namespace
}  // namespace normscope
