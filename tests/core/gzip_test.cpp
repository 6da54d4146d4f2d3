// gunzip against bytes that Python's gzip module wrote, and against damage of them.
#include "core/gzip.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"

namespace normscope {
namespace {

// gzip.compress(b"pixels pixels pixels", mtime=0)
const std::string zipped(
    "\037\213\010\000\000\000\000\000\002\003\053\310\254\110\315\051\126\050\100\246\000\170\306\112\074\024\000\000"
    "\000",
    29);

TEST(Gzip, UnzipsWhatPythonWrote) { EXPECT_EQ(gunzip(zipped, 100), "pixels pixels pixels"); }

TEST(Gzip, JoinsMembers) { EXPECT_EQ(gunzip(zipped + zipped, 100), "pixels pixels pixelspixels pixels pixels"); }

TEST(Gzip, HoldsTheLimit) {
  EXPECT_EQ(gunzip(zipped, 20).size(), 20u);
  EXPECT_THROW(gunzip(zipped, 19), Error);
}

TEST(Gzip, RefusesEveryCutAndAnyDamageOfTheChecksum) {
  for (size_t size = 0; size < zipped.size(); ++size) EXPECT_THROW(gunzip(zipped.substr(0, size), 100), Error) << size;
  std::string damaged = zipped;
  damaged[damaged.size() - 8] ^= 1;
  EXPECT_THROW(gunzip(damaged, 100), Error);
  EXPECT_THROW(gunzip("plain", 100), Error);
}

TEST(UnzippedFile, GivesTheBytesOfPlainAndZippedFiles) {
  const auto path = std::filesystem::temp_directory_path() / ("normscope_unzipped_" + std::to_string(::getpid()));
  write_file_atomically(path, zipped);
  EXPECT_EQ(UnzippedFile(path, ErrorKind::Data).bytes(), "pixels pixels pixels");
  EXPECT_THROW(UnzippedFile(path, ErrorKind::Data, 19), Error);
  write_file_atomically(path, "plain");
  EXPECT_EQ(UnzippedFile(path, ErrorKind::Data).bytes(), "plain");
  write_file_atomically(path, zipped.substr(0, 20));
  try {
    UnzippedFile cut(path, ErrorKind::Data);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), path.string() + ": the gzip file is cut short");
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace normscope
