#include "experiments/noisy_pictures.h"

#include <algorithm>

#include "core/file.h"
#include "experiments/pixel_cache.h"
#include "images/encode_png.h"
#include "images/resize.h"

namespace normscope {

void write_small_pictures(const Pictures& pictures, std::span<const int64_t> rows,
                          const std::filesystem::path& folder) {
  constexpr int64_t kMostPixels = 64;
  std::filesystem::create_directories(folder);
  for (const int64_t row : rows) {
    const auto image = picture_at(pictures, row);
    const double shrink =
        std::min(1.0, static_cast<double>(kMostPixels) / static_cast<double>(std::max(image.width, image.height)));
    const auto side = [&](int64_t pixels) {
      return std::max<int64_t>(1, static_cast<int64_t>(shrink * static_cast<double>(pixels)));
    };
    write_file_atomically(folder / (std::to_string(row) + ".png"),
                          encode_png(resize(image, side(image.width), side(image.height), Resample::Bilinear)));
  }
}

void write_noisy_pictures(const PreparedData& data, const std::filesystem::path& folder) {
  constexpr size_t kMostPictures = 200;  // as many as the report shows
  std::vector<int64_t> rows;
  for (const auto& row : data.noise.rows)
    if (rows.size() < kMostPictures) rows.push_back(row.row);
  write_small_pictures(data.train_tokens->pictures, rows, folder);
}

}  // namespace normscope
