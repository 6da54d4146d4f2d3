// The image architectures against transformers under other configs and picture sizes; a picture's company does not
// matter.
#include <ATen/ops/arange.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/stack.h>

#include "core/error.h"
#include "models/edited_checkpoint.h"

namespace normscope {
namespace {

using torch::Tensor;

// The sines of tests/reference/image_models.py. -> [2, 3, height, width]
Tensor pictures(int64_t height, int64_t width) {
  const auto values = at::arange(3 * height * width, torch::kFloat64).mul(0.37);
  return at::stack({at::sin(values), at::sin(values + 1)}).reshape({2, 3, height, width});
}

Tensor logits_of(const Model& model, const Tensor& pixel_values) {
  Inputs inputs;
  inputs.pixel_values = pixel_values;
  Pass pass;
  return model.forward(inputs, pass);
}

class ImageModel : public testing::TestWithParam<std::string> {};

TEST_P(ImageModel, EqualsTransformersUnderOtherConfigsAndSizes) {
  const auto variants =
      nlohmann::json::parse(read_file(model_fixture(GetParam()) / "variants.json", ErrorKind::Checkpoint));
  ASSERT_FALSE(variants.empty());
  for (const auto& variant : variants) {
    const EditedCheckpoint edited(GetParam(), variant.at("config"));
    auto options = exact_options();
    options.build.interpolates_positions = variant.at("interpolates");
    const auto model = load_model(edited.open(), options);
    EXPECT_TRUE(model.drawn.empty());
    const auto logits = logits_of(model, pictures(variant.at("size")[0], variant.at("size")[1]));
    const auto expected = variant.at("logits").get<std::vector<std::vector<double>>>();
    for (int64_t row = 0; row < 2; ++row)
      EXPECT_LT(largest_difference(logits[row], torch::tensor(expected[static_cast<size_t>(row)], torch::kFloat64)),
                1e-9)
          << variant.dump().substr(0, 80);
  }
}

TEST_P(ImageModel, PicturesGiveTheSameAloneAndInCompany) {
  for (const auto head : {Head::Transformers, Head::Paper}) {
    auto options = exact_options();
    options.build.head = head;
    const auto model = load_model(open_checkpoint(model_fixture(GetParam()).string()), options);
    const auto both = pictures(32, 32);
    const auto together = logits_of(model, both);
    for (int64_t row = 0; row < 2; ++row)
      EXPECT_LT(largest_difference(logits_of(model, both.slice(0, row, row + 1))[0], together[row]), 1e-10);
  }
}

TEST_P(ImageModel, RefusesPicturesOfAnotherSizeUnlessAskedToInterpolate) {
  const auto model = load_model(open_checkpoint(model_fixture(GetParam()).string()), exact_options());
  try {
    logits_of(model, pictures(48, 40));
    FAIL() << "a picture of another size was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Data);
    EXPECT_NE(std::string(error.what()).find("32x32, not of 40x48"), std::string::npos) << error.what();
  }
}

TEST_P(ImageModel, TakesSizesAsPairs) {
  const EditedCheckpoint edited(GetParam(), {{"image_size", {32, 32}}, {"patch_size", {8, 8}}});
  const auto plain = load_model(open_checkpoint(model_fixture(GetParam()).string()), exact_options());
  const auto as_pair = load_model(edited.open(), exact_options());
  EXPECT_EQ(largest_difference(logits_of(as_pair, pictures(32, 32)), logits_of(plain, pictures(32, 32))), 0);
}

INSTANTIATE_TEST_SUITE_P(All, ImageModel, testing::ValuesIn(image_fixtures()),
                         [](const auto& info) { return info.param; });

TEST(ImageConfig, RefusesWhatItCannotBe) {
  for (const auto& [changes, word] :
       std::vector<std::pair<nlohmann::json, std::string>>{{{{"patch_size", 64}}, "patch_size"},
                                                           {{{"image_size", {32, 0}}}, "image_size"},
                                                           {{{"image_size", "large"}}, "image_size"},
                                                           {{{"num_attention_heads", 5}}, "num_attention_heads"}}) {
    const EditedCheckpoint edited("vit", changes);
    try {
      load_model(edited.open(), exact_options());
      ADD_FAILURE() << changes;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Checkpoint);
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace normscope
