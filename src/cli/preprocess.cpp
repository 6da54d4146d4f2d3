// normscope preprocess
#include <cstdio>
#include <numeric>

#include "checkpoints/safetensors.h"
#include "cli/commands.h"
#include "core/file.h"
#include "core/parallel.h"
#include "experiments/pixel_cache.h"
#include "images/encode_png.h"

namespace normscope {
namespace {

struct Arguments {
  std::string checkpoint, output, view;
  std::vector<std::string> images;
  DataRecipe data;
};

// pixel_values [B, 3, height, width] float32, and the bytes before rescaling as pixel_bytes [B, height, width, 3].
int preprocess(const Arguments& a) {
  const auto checkpoint = open_checkpoint(a.checkpoint, false);
  const auto options = picture_options(a.data, checkpoint, true);
  std::vector<ImageSource> sources;
  for (const auto& file : a.images) sources.push_back({.file = file});
  const auto pictures = decode_pictures(sources, options, {}, usable_cores());
  if (!a.view.empty()) write_file_atomically(a.view, encode_png(picture_at(pictures, pictures.count() - 1)));
  std::vector<int64_t> rows(a.images.size());
  std::iota(rows.begin(), rows.end(), int64_t{0});
  const auto values = pixel_values(pictures, rows);
  const std::string_view floats(static_cast<const char*>(values.const_data_ptr()), values.nbytes());
  const int64_t count = pictures.count(), height = pictures.height, width = pictures.width;
  write_safetensors(a.output,
                    {{"pixel_values", {DType::F32, {count, 3, height, width}, floats}},
                     {"pixel_bytes", {DType::U8, {count, height, width, 3}, pictures.file->bytes()}}},
                    {{"preprocessing", to_json(options.preprocessing).dump()}});
  std::printf("%lld x 3 x %lld x %lld, as %s\n", static_cast<long long>(count), static_cast<long long>(height),
              static_cast<long long>(width), options.preprocessing.origin.c_str());
  return 0;
}

}  // namespace

std::function<int()> add_preprocess(CLI::App& app) {
  auto a = std::make_shared<Arguments>();
  app.add_option("checkpoint", a->checkpoint, "Checkpoint of an image model")->required();
  app.add_option("image", a->images, "Picture files")->required();
  app.add_option("--output", a->output, "safetensors file to write: pixel_values, pixel_bytes")->required();
  app.add_option("--view", a->view, "Also a PNG of what the model sees, of the last picture");
  app.add_option("--preprocessing", a->data.preprocessing, "checkpoint or study")
      ->check(CLI::IsMember({"checkpoint", "study"}));
  app.add_option("--resample", a->data.resample, "Resizing filter, else the checkpoint's")
      ->check(CLI::IsMember({"nearest", "bilinear", "bicubic", "lanczos", "box", "hamming"}));
  app.add_option("--cifar-pixels", a->data.cifar_pixels, "correct or paper")
      ->check(CLI::IsMember({"correct", "paper"}));
  app.add_flag("--exif-orientation", a->data.exif_orientation, "Turn pictures as their EXIF data says");
  return [a] { return preprocess(*a); };
}

}  // namespace normscope
