// Resized pixels against Pillow's, byte by byte.
#include "images/resize.h"

#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/text.h"
#include "images/images_test.h"

namespace normscope {
namespace {

constexpr const char* kFilters[] = {"nearest", "lanczos", "bilinear", "bicubic", "box", "hamming"};

// The noise of make_image_fixtures.py.
Image noise(int64_t width, int64_t height, uint64_t seed) {
  Image image{width, height, {}};
  for (uint64_t i = 0; i < static_cast<uint64_t>(3 * width * height); ++i)
    image.rgb.push_back(static_cast<uint8_t>(((i + seed) * 2654435761u & 0xffffffffu) >> 24));
  return image;
}

std::string hash_of(const Image& image) {
  std::ostringstream hash;
  hash << std::hex << std::setw(16) << std::setfill('0')
       << content_hash({reinterpret_cast<const char*>(image.rgb.data()), image.rgb.size()});
  return hash.str();
}

TEST(Resize, EqualsPillowOnNoiseOfManySizes) {
  const auto cases = nlohmann::json::parse(file_bytes(image_fixture("resize_cases.json")));
  EXPECT_GT(cases.size(), 30u);
  for (const auto& one : cases)
    for (int filter = 0; filter < 6; ++filter) {
      const auto out = resize(noise(one["from"][0], one["from"][1], one["seed"]), one["to"][0], one["to"][1],
                              static_cast<Resample>(filter));
      EXPECT_EQ(hash_of(out), one["fnv"][static_cast<size_t>(filter)].get<std::string>())
          << kFilters[filter] << " " << one.dump();
    }
}

TEST(Resize, EqualsPillowOnTheSharedFixture) {
  if (!std::filesystem::exists(shared_images())) GTEST_SKIP() << "needs " << shared_images();
  const Expected expected(shared_images() + "expected.safetensors");
  int compared = 0;
  for (const auto& [tensor, view] : expected.tensors)
    for (int filter = 0; filter < 6; ++filter) {
      const auto at = tensor.find(std::string(".") + kFilters[filter] + ".");
      if (at == std::string::npos) continue;
      const auto name = tensor.substr(0, at);
      const auto image = decode_image(file_bytes(shared_images() + "images/" + name));
      EXPECT_LE(difference(resize(image, view.shape[1], view.shape[0], static_cast<Resample>(filter)), view),
                tolerance_of(name))
          << tensor;
      ++compared;
    }
  EXPECT_GE(compared, 100);
}

TEST(Resize, KeepsWhatNeedsNoChange) {
  const auto image = noise(7, 5, 3);
  for (int filter = 0; filter < 6; ++filter)
    EXPECT_EQ(resize(image, 7, 5, static_cast<Resample>(filter)).rgb, image.rgb);
  Image flat{9, 4, std::vector<uint8_t>(9 * 4 * 3, 77)};
  for (int filter = 0; filter < 6; ++filter)
    for (const auto byte : resize(flat, 31, 17, static_cast<Resample>(filter)).rgb) ASSERT_EQ(byte, 77);
}

}  // namespace
}  // namespace normscope
