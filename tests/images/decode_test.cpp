// Decoded pixels against Pillow's, and what broken and hostile files are refused for.
#include "images/decode.h"

#include "images/images_test.h"

namespace normscope {
namespace {

// NAME.decoded and NAME.SUFFIX for upright pictures.
void check_decoding(const std::string& folder, const Expected& expected, const std::string& upright_suffix) {
  size_t compared = 0;
  for (const auto& [tensor, view] : expected.tensors) {
    const bool is_upright = tensor.ends_with(upright_suffix);
    if (!is_upright && !tensor.ends_with(".decoded")) continue;
    const auto name = tensor.substr(0, tensor.size() - (is_upright ? upright_suffix : ".decoded").size());
    SCOPED_TRACE(tensor);
    const auto image = decode_image(file_bytes(folder + name), {.applies_exif_orientation = is_upright});
    EXPECT_LE(difference(image, view), tolerance_of(name));
    ++compared;
  }
  EXPECT_GE(compared, 18u);
}

TEST(Decode, EqualsPillow) {
  check_decoding(image_fixture(""), Expected(image_fixture("expected.safetensors")), ".upright");
}

TEST(Decode, EqualsPillowOnTheSharedFixture) {
  if (!std::filesystem::exists(shared_images())) GTEST_SKIP() << "needs " << shared_images();
  check_decoding(shared_images() + "images/", Expected(shared_images() + "expected.safetensors"), ".decoded_upright");
}

TEST(Decode, WidePicturesAreFineWhileTheirAreaIs) {
  const auto bytes = file_bytes(image_fixture("wide.png"));
  const auto image = decode_image(bytes);
  ASSERT_EQ(image.width, 50000);
  ASSERT_EQ(image.height, 1);
  for (size_t x = 0; x < 50000; ++x) ASSERT_EQ(image.rgb[3 * x + x % 3], x % 2 ? 255 : 0);
  EXPECT_EQ(error_of([&] { decode_image(bytes, {.max_pixels = 49999}); }, ErrorKind::Data),
            "PNG picture of 50000 x 1 pixels is too large: 49999 pixels at most");
  EXPECT_EQ(decode_image(bytes, {.max_pixels = 50000}).width, 50000);
}

std::string refusal_of(const std::string& name) {
  return error_of([&] { decode_image(file_bytes(image_fixture("broken/" + name))); }, ErrorKind::Data);
}

TEST(Decode, HeadersThatPromiseTooMuchAreRefusedUnread) {
  const std::string limit = " pixels is too large: 178956970 pixels at most";
  EXPECT_EQ(refusal_of("bomb.jpg"), "JPEG picture of 65000 x 65000" + limit);
  EXPECT_EQ(refusal_of("bomb.png"), "PNG picture of 60000 x 60000" + limit);
  EXPECT_EQ(refusal_of("bomb.gif"), "GIF picture of 65535 x 65535" + limit);
  EXPECT_EQ(refusal_of("bomb.webp"), "WebP picture of 32768 x 32768" + limit);
  EXPECT_EQ(refusal_of("bomb.bmp"), "BMP picture of 1048576 x 1048576" + limit);
}

TEST(Decode, SaysWhatIsWrong) {
  EXPECT_EQ(error_of([] { decode_image(""); }, ErrorKind::Data), "the picture is empty (0 bytes)");
  EXPECT_EQ(refusal_of("text.png"), "the picture is of no known format (JPEG, PNG, WebP, GIF, BMP)");
  EXPECT_EQ(refusal_of("no_pixels.bmp"), "BMP picture of 0 x 4 pixels");
  EXPECT_EQ(refusal_of("checksum.png"), "PNG picture is corrupt: IDAT: incorrect data check");
}

TEST(Decode, TruncatedFilesAreErrors) {
  for (const auto* name : {"progressive.jpg", "sampled_420.jpg", "rgb_16.png", "rgb_interlaced.png", "lossy.webp",
                           "animated.webp", "interlaced.gif", "bits_24.bmp", "rle8.bmp"}) {
    SCOPED_TRACE(name);
    const auto bytes = file_bytes(image_fixture(name));
    const auto message = error_of([&] { decode_image(bytes.substr(0, bytes.size() * 2 / 3)); }, ErrorKind::Data);
    EXPECT_TRUE(message.ends_with("picture is truncated")) << message;
  }
}

TEST(Decode, EveryShorterFileIsAPictureOrAnError) {
  for (const auto* name : {"cmyk.jpg", "palette_4.png", "exif.webp", "on_screen.gif", "rle4.bmp", "v5_32.bmp"}) {
    SCOPED_TRACE(name);
    const auto bytes = file_bytes(image_fixture(name));
    const auto whole = decode_image(bytes);
    for (size_t size = 0; size < bytes.size(); ++size) {
      try {
        // A copy of its own, so that a sanitizer sees reads beyond it. What may be missing is no pixel.
        const std::vector<char> part(bytes.data(), bytes.data() + size);
        const auto image = decode_image({part.data(), part.size()});
        EXPECT_EQ(image.rgb, whole.rgb) << size;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Data);
      }
    }
  }
}

}  // namespace
}  // namespace normscope
