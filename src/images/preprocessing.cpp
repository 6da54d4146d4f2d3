// Sizes as transformers computes them (float64, cut off), the crop, and the tables of pixel values (float32 steps).
#include "images/preprocessing.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.h"

namespace normscope {
namespace {

constexpr int64_t kMaxPixels = 2 * 89478485;  // as decode_image

int64_t cut(double value) { return static_cast<int64_t>(std::min(value, 1e12)); }

ImageSize resized_size(const Image& image, const Preprocessing& p) {
  if (p.height > 0) return {p.height, p.width};
  const auto height = static_cast<double>(image.height), width = static_cast<double>(image.width);
  const double small = std::min(height, width), large = std::max(height, width);
  auto edge = static_cast<double>(p.shortest_edge), raw = edge;
  if (p.longest_edge > 0) {
    const auto cap = static_cast<double>(p.longest_edge);
    if (large / small * edge > cap) {
      raw = cap * small / large;
      edge = std::nearbyint(raw);
    }
    if (small == edge) return {image.height, image.width};
  }
  const auto other = width < height ? cut(raw * height / width) : cut(raw * width / height);
  return width < height ? ImageSize{other, cut(edge)} : ImageSize{cut(edge), other};
}

Image center_crop(const Image& image, int64_t height, int64_t width) {
  Image out{width, height, std::vector<uint8_t>(static_cast<size_t>(3 * height * width))};
  // Where the crop begins, rounded down; negative where black comes first.
  const auto begin = [](int64_t have, int64_t want) {
    return have >= want ? (have - want) / 2 : -((want - have + 1) / 2);
  };
  const int64_t top = begin(image.height, height), left = begin(image.width, width);
  const int64_t first = std::max<int64_t>(left, 0), columns = std::min(left + width, image.width) - first;
  for (int64_t y = std::max<int64_t>(-top, 0); y < height && top + y < image.height; ++y)
    std::memcpy(out.rgb.data() + 3 * (y * width + first - left),
                image.rgb.data() + 3 * ((top + y) * image.width + first), static_cast<size_t>(3 * columns));
  return out;
}

}  // namespace

ImageSize output_size(const Preprocessing& p) {
  if (p.do_center_crop) return {p.crop_height, p.crop_width};
  require(p.do_resize && p.height > 0, ErrorKind::Checkpoint, p.origin,
          ": the model's pictures need one size; expected size with height and width, or a center crop");
  return {p.height, p.width};
}

Image preprocess_image(const Image& image, const Preprocessing& p) {
  const auto cropped = [&](const Image& whole) { return center_crop(whole, p.crop_height, p.crop_width); };
  if (!p.do_resize) return p.do_center_crop ? cropped(image) : image;
  const auto size = resized_size(image, p);
  require(size.height > 0 && size.width > 0 && size.height <= kMaxPixels / size.width, ErrorKind::Data, "a picture of ",
          image.width, " x ", image.height, " pixels cannot be resized to ", size.width, " x ", size.height);
  auto resized = resize(image, size.width, size.height, p.resample);
  return p.do_center_crop ? cropped(resized) : resized;
}

PixelTable pixel_table(const Preprocessing& p) {
  PixelTable table;
  for (size_t channel = 0; channel < 3; ++channel)
    for (size_t byte = 0; byte < 256; ++byte) {
      auto value = static_cast<float>(byte);
      if (p.do_rescale) value = static_cast<float>(static_cast<double>(byte) * p.rescale_factor);
      if (p.do_normalize)
        value = (value - static_cast<float>(p.image_mean[channel])) / static_cast<float>(p.image_std[channel]);
      table[channel][byte] = value;
    }
  return table;
}

std::array<uint8_t, 256> wrapped_cifar_bytes() {
  std::array<uint8_t, 256> table;
  for (size_t byte = 0; byte < 256; ++byte) {
    const float normalized = (static_cast<float>(byte) / 255.0f - 0.5f) / 0.5f;
    table[byte] = static_cast<uint8_t>(static_cast<int>(normalized * 255.0f));
  }
  return table;
}

}  // namespace normscope
