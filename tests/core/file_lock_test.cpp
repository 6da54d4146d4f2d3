// Locks between processes: who is kept out, and that a killed process holds nothing.
#include "core/file_lock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"

namespace normscope {
namespace {

using Mode = FileLock::Mode;

class FileLockTest : public testing::Test {
 protected:
  FileLockTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "normscope_test_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~FileLockTest() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path file() const { return folder_ / "lock"; }

 private:
  std::filesystem::path folder_;
};

TEST_F(FileLockTest, ExclusiveKeepsEverybodyOutOfItsByteOnly) {
  auto lock = FileLock::try_lock(file(), 7, Mode::Exclusive);
  ASSERT_TRUE(lock);
  EXPECT_FALSE(FileLock::try_lock(file(), 7, Mode::Exclusive));
  EXPECT_FALSE(FileLock::try_lock(file(), 7, Mode::Shared));
  EXPECT_TRUE(FileLock::try_lock(file(), 8, Mode::Exclusive));
  EXPECT_TRUE(FileLock::is_held(file(), 7));
  EXPECT_FALSE(FileLock::is_held(file(), 8));
  lock.reset();
  EXPECT_FALSE(FileLock::is_held(file(), 7));
  EXPECT_TRUE(FileLock::try_lock(file(), 7, Mode::Exclusive));
}

TEST_F(FileLockTest, SharedHoldersKeepOutTheExclusiveOne) {
  auto first = FileLock::try_lock(file(), 0, Mode::Exclusive);
  first->share();
  const auto second = FileLock::try_lock(file(), 0, Mode::Shared);
  EXPECT_TRUE(second);
  first.reset();
  EXPECT_FALSE(FileLock::try_lock(file(), 0, Mode::Exclusive));
}

TEST_F(FileLockTest, AMoveTakesTheLockAlong) {
  auto lock = FileLock::wait(file(), 1, Mode::Exclusive);
  auto other = FileLock::wait(file(), 2, Mode::Exclusive);
  lock = std::move(other);
  EXPECT_TRUE(FileLock::is_held(file(), 2));
  EXPECT_FALSE(FileLock::is_held(file(), 1));
}

TEST_F(FileLockTest, AKilledProcessHoldsNothing) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = FileLock::wait(file(), 3, Mode::Exclusive);
    if (write(ready[1], "x", 1) != 1) _exit(1);
    pause();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_FALSE(FileLock::try_lock(file(), 3, Mode::Exclusive));
  EXPECT_TRUE(FileLock::is_held(file(), 3));
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(FileLock::try_lock(file(), 3, Mode::Exclusive));
  close(ready[0]);
  close(ready[1]);
}

TEST_F(FileLockTest, AbsentFilesAreNotHeldAndUnwritableOnesAreNamed) {
  EXPECT_FALSE(FileLock::is_held(file(), 0));
  EXPECT_FALSE(std::filesystem::exists(file()));
  try {
    FileLock::try_lock("/no_such_folder/lock", 0, Mode::Exclusive);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("/no_such_folder/lock"), std::string::npos);
  }
}

}  // namespace
}  // namespace normscope
