// Pixel values against transformers' PIL image processors, bit by bit, and what a config is refused for.
#include "images/preprocessing.h"

#include <unistd.h>

#include <iomanip>
#include <sstream>

#include "core/file.h"
#include "core/text.h"
#include "images/images_test.h"

namespace normscope {
namespace {

std::string hash_of_values(const Image& image, const Preprocessing& preprocessing) {
  const auto table = pixel_table(preprocessing);
  std::vector<float> values;
  for (size_t channel = 0; channel < 3; ++channel)
    for (size_t i = channel; i < image.rgb.size(); i += 3) values.push_back(table[channel][image.rgb[i]]);
  std::ostringstream hash;
  hash << std::hex << std::setw(16) << std::setfill('0')
       << content_hash({reinterpret_cast<const char*>(values.data()), 4 * values.size()});
  return hash.str();
}

TEST(Preprocessing, EqualsTransformersAlsoAfterSaving) {
  const auto cases = nlohmann::json::parse(file_bytes(image_fixture("preprocessing_cases.json")));
  EXPECT_GT(cases.size(), 20u);
  for (const auto& one : cases) {
    Image image{one["from"][0], one["from"][1], {}};
    for (uint64_t i = 0; i < static_cast<uint64_t>(3 * image.width * image.height); ++i)
      image.rgb.push_back(static_cast<uint8_t>(((i + one["seed"].get<uint64_t>()) * 2654435761u & 0xffffffffu) >> 24));
    const auto read = parse_preprocessing(one["config"].dump(), "p.json", 224);
    for (const auto& preprocessing : {read, parse_preprocessing(to_json(read).dump(), "saved.json", 7)}) {
      const auto out = preprocess_image(image, preprocessing);
      EXPECT_EQ((std::vector<int64_t>{out.height, out.width}), one["size"].get<std::vector<int64_t>>()) << one.dump();
      EXPECT_EQ(hash_of_values(out, preprocessing), one["fnv"].get<std::string>()) << one.dump();
    }
  }
}

std::string refusal_of(const std::string& json) {
  return error_of([&] { output_size(parse_preprocessing(json, "p.json", 224)); }, ErrorKind::Checkpoint);
}

TEST(Preprocessing, NamesTheKeyThatItRefuses) {
  EXPECT_EQ(refusal_of("[]"), "p.json: expected a JSON object");
  EXPECT_EQ(refusal_of(R"({"size": 0})"), "p.json: size: expected 1 to 4096 pixels");
  EXPECT_EQ(refusal_of(R"({"image_std": [1, 0, 1]})"), "p.json: image_std: expected numbers other than 0");
  EXPECT_EQ(refusal_of(R"({"do_pad": true})"), "p.json: do_pad: is not supported");
  EXPECT_EQ(refusal_of(R"({"size": {"shortest_edge": 9}})"),
            "p.json: the model's pictures need one size; expected size with height and width, or a center crop");
}

TEST(Preprocessing, IsLookedUpAsTransformersDoes) {
  const auto folder = std::filesystem::path(testing::TempDir()) / ("normscope_processors_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto height = [&](const char* model_type) { return load_preprocessing(folder, model_type, 224).height; };
  EXPECT_EQ(height("vit"), 224);
  EXPECT_EQ(height("deit"), 256) << "DeiTImageProcessor's own defaults";
  EXPECT_TRUE(load_preprocessing(folder, "deit", 224).do_center_crop);
  EXPECT_EQ(load_preprocessing(folder, "vit_msn", 224).resample, Resample::Bilinear);
  write_file_atomically(folder / "preprocessor_config.json", R"({"size": 96})");
  EXPECT_EQ(height("deit"), 96);
  write_file_atomically(folder / "processor_config.json", R"({"processor_class": "ViTProcessor"})");
  EXPECT_EQ(height("vit"), 96) << "one that says nothing of pictures has no say";
  write_file_atomically(folder / "processor_config.json", R"({"image_processor": {"size": 64}})");
  EXPECT_EQ(height("vit"), 64);
  write_file_atomically(folder / "processor_config.json", R"({"image_processor": {"size": -1}})");
  const auto message = error_of([&] { height("vit"); }, ErrorKind::Checkpoint);
  EXPECT_EQ(message,
            (folder / "processor_config.json").string() + ": image_processor: size: expected 1 to 4096 pixels");
  std::filesystem::remove_all(folder);
}

TEST(Preprocessing, WrappedBytesAreTorchs) {
  // torchvision's ToPILImage(Normalize(0.5, 0.5)(ToTensor(byte))), torch 2.15.
  const auto table = wrapped_cifar_bytes();
  EXPECT_EQ((std::vector<int>{table[0], table[63], table[64], table[126], table[127], table[128], table[255]}),
            (std::vector<int>{1, 127, 130, 254, 0, 1, 255}));
}

}  // namespace
}  // namespace normscope
