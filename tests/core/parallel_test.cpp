// Loops over cores and the time of tasks on several.
#include "core/parallel.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "core/memory.h"

namespace normscope {
namespace {

TEST(SecondsForAll, TheNextTaskBeginsWhereOneEndsFirst) {
  const std::vector<double> seconds = {5, 1, 1, 4};
  EXPECT_EQ(seconds_for_all(seconds, 1), 11);
  EXPECT_EQ(seconds_for_all(seconds, 2), 6);  // 5 | 1 + 1 + 4
  EXPECT_EQ(seconds_for_all(seconds, 9), 5);
  EXPECT_EQ(seconds_for_all({}, 3), 0);
  EXPECT_EQ(seconds_for_all(seconds, 0), 11);
}

TEST(Memory, APeakIsRememberedUntilItIsForgotten) {
  constexpr size_t kBytes = 64 << 20;
  forget_peak_memory();
  const auto before = peak_memory();
  // Mapped by hand: an allocator may keep what is given back (AddressSanitizer's does).
  void* held = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(held, MAP_FAILED);
  std::memset(held, 1, kBytes);
  munmap(held, kBytes);
  EXPECT_GE(peak_memory(), before + static_cast<int64_t>(kBytes) / 2);
  forget_peak_memory();
  EXPECT_LT(peak_memory(), before + static_cast<int64_t>(kBytes) / 2);
  EXPECT_GT(available_memory(), 0);
}

}  // namespace
}  // namespace normscope
