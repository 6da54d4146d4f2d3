// A file of token ids: what is written comes back, and broken bytes are refused.
#include "data/token_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.h"

namespace normscope {
namespace {

std::string written(const std::vector<std::vector<int64_t>>& rows) {
  const auto path = std::filesystem::temp_directory_path() / ("normscope_tokens_" + std::to_string(::getpid()));
  AtomicFile file(path);
  write_token_file(file, rows, std::vector<int64_t>{3}, std::vector<int64_t>{1, 2});
  file.commit();
  auto bytes = read_file(path, ErrorKind::Run);
  std::filesystem::remove(path);
  return bytes;
}

const std::vector<std::vector<int64_t>> kRows = {{101, 5, 102}, {}, {int64_t{1} << 40}, {7, 8}};

TEST(TokenFile, GivesBackWhatWasWritten) {
  const auto bytes = written(kRows);
  EXPECT_EQ(bytes.size(), 32 + 8 * (3 + 4 + 6));
  const auto file = parse_token_file(bytes);
  ASSERT_EQ(file.rows.size(), kRows.size());
  for (size_t i = 0; i < kRows.size(); ++i)
    EXPECT_EQ(std::vector<int64_t>(file.rows[i].begin(), file.rows[i].end()), kRows[i]);
  EXPECT_EQ(file.truncated, std::vector<int64_t>{3});
  EXPECT_EQ(file.empty, (std::vector<int64_t>{1, 2}));
}

TEST(TokenFile, EveryCutIsRefused) {
  const auto bytes = written(kRows);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(parse_token_file(std::string(bytes, 0, size)), Error) << size;
  EXPECT_THROW(parse_token_file(bytes + std::string(8, '\0')), Error);
}

TEST(TokenFile, RowNumbersAreAscendingRows) {
  auto bytes = written(kRows);
  bytes[32] = 4;  // the truncated row, of rows 0 to 3
  EXPECT_THROW(parse_token_file(bytes), Error);
  bytes[32] = 3;
  EXPECT_NO_THROW(parse_token_file(bytes));
  bytes[32 + 8] = 2;  // an empty row twice
  EXPECT_THROW(parse_token_file(bytes), Error);
}

TEST(TokenFile, RowsThatDoNotFitAreRefusedBeforeMemoryIsTaken) {
  auto bytes = written(kRows);
  bytes[8 + 6] = 127;  // 2^54 rows
  EXPECT_THROW(parse_token_file(bytes), Error);
}

}  // namespace
}  // namespace normscope
