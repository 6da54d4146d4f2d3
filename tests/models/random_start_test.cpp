// Every architecture's start is drawn as transformers draws it.
#include <algorithm>
#include <cmath>

#include "models/edited_checkpoint.h"

namespace normscope {
namespace {

class RandomStart : public testing::TestWithParam<std::string> {};

TEST_P(RandomStart, IsTransformers) {
  const auto reference =
      nlohmann::json::parse(read_file(model_fixture(GetParam()) / "random_start.json", ErrorKind::Checkpoint));
  auto options = exact_options();
  options.load.random_start = true;
  options.load.init_seed = 11;
  const auto model = load_model(open_checkpoint(model_fixture(GetParam()).string()), options);
  EXPECT_EQ(reference.size(), model.parameters.all().size());
  for (const auto& parameter : model.parameters.all()) {
    ASSERT_TRUE(reference.contains(parameter->name)) << parameter->name;
    const auto& expected = reference[parameter->name];
    const double mean = expected.at("mean"), deviation = expected.at("deviation");
    const auto value = parameter->value.detach();
    const double n = static_cast<double>(value.numel());
    // Six standard errors of a sample of this size, and those of the reference's own 25 samples.
    EXPECT_NEAR(value.mean().item<double>(), mean, 6 * deviation * std::sqrt(1.04 / n)) << parameter->name;
    EXPECT_NEAR(value.square().mean().sub(value.mean().square()).clamp_min(0).sqrt().item<double>(), deviation,
                6 * deviation * std::sqrt(1.04 / (2 * n)) + (n < 3 ? deviation : 0))
        << parameter->name;
    if (value.dim() == 2) {
      EXPECT_EQ((value.abs().sum(1) == 0).sum().item<int64_t>(), expected.at("zero_rows").get<int64_t>())
          << parameter->name;
    }
  }
  const auto again = load_model(open_checkpoint(model_fixture(GetParam()).string()), options);
  for (size_t i = 0; i < again.parameters.all().size(); ++i)
    EXPECT_TRUE(again.parameters.all()[i]->value.equal(model.parameters.all()[i]->value));
}

INSTANTIATE_TEST_SUITE_P(All, RandomStart, testing::ValuesIn(model_fixtures()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace normscope
