// Whatever ends a run becomes an Error in plain words, with the exit code that belongs to it.
#include "experiments/failure.h"

#include <ATen/ops/empty.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <new>

namespace normscope {
namespace {

Error error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const std::exception& failure) {
    return to_error(failure);
  }
  return {ErrorKind::Usage, "nothing was thrown"};
}

TEST(Failure, MemoryThatIsNotThereIsSaidSo) {
  for (const std::function<void()>& body :
       {std::function<void()>([] { throw std::bad_alloc(); }),
        std::function<void()>([] { at::empty({int64_t{1} << 50}, torch::kFloat64); })}) {
    const auto error = error_of(body);
    EXPECT_EQ(error.kind(), ErrorKind::Run);
    EXPECT_EQ(std::string(error.what()).rfind("out of memory; a smaller batch_size", 0), 0u) << error.what();
  }
}

TEST(Failure, OtherErrorsKeepTheirWords) {
  const auto own = error_of([] { throw Error(ErrorKind::Data, "train.csv:3: bad"); });
  EXPECT_EQ(own.kind(), ErrorKind::Data);
  EXPECT_STREQ(own.what(), "train.csv:3: bad");
  const auto engine = error_of([] { TORCH_CHECK(false, "shapes differ"); });
  EXPECT_EQ(engine.kind(), ErrorKind::Run);
  EXPECT_EQ(std::string(engine.what()).rfind("LibTorch: shapes differ", 0), 0u) << engine.what();
}

}  // namespace
}  // namespace normscope
