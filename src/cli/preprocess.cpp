// normscope preprocess
#include <cstdio>
#include <fstream>

#include "checkpoints/safetensors.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/file.h"
#include "experiments/pixel_cache.h"
#include "images/decode.h"
#include "images/encode_png.h"

namespace normscope {
namespace {

struct Arguments {
  std::string checkpoint, output, view;
  std::vector<std::string> images;
  DataRecipe data;
};

Image preprocessed(const std::string& file, const PictureOptions& options) {
  try {
    DecodeOptions decoding;
    decoding.applies_exif_orientation = options.applies_exif_orientation;
    auto image = preprocess_image(decode_image(read_file(file, ErrorKind::Data), decoding), options.preprocessing);
    const auto wrapped = wrapped_cifar_bytes();
    if (options.wraps_cifar_bytes)
      for (auto& byte : image.rgb) byte = wrapped[byte];
    return image;
  } catch (const Error& error) {
    const std::string reason = error.what();
    throw Error(error.kind(), reason.starts_with(file) ? reason : file + ": " + reason);
  }
}

// pixel_values [B, 3, height, width] float32, and the bytes before rescaling as pixel_bytes [B, height, width, 3].
int preprocess(const Arguments& a) {
  const auto checkpoint = open_checkpoint(a.checkpoint, false);
  const auto options = picture_options(a.data, checkpoint, true);
  const auto size = output_size(options.preprocessing);
  Pictures pictures{size.height, size.width, {}, pixel_table(options.preprocessing), nullptr};
  std::string bytes;
  for (const auto& file : a.images) {
    const auto image = preprocessed(file, options);
    if (!a.view.empty()) write_file_atomically(a.view, encode_png(image));
    bytes.append(reinterpret_cast<const char*>(image.rgb.data()), image.rgb.size());
  }
  std::vector<int64_t> rows;
  for (size_t i = 0; i < a.images.size(); ++i) {
    pictures.rgb.push_back(reinterpret_cast<const uint8_t*>(bytes.data()) + i * bytes.size() / a.images.size());
    rows.push_back(static_cast<int64_t>(i));
  }
  const auto values = pixel_values(pictures, rows);
  const auto count = static_cast<int64_t>(a.images.size());
  const std::string_view floats(static_cast<const char*>(values.const_data_ptr()), values.nbytes());
  write_safetensors(a.output,
                    {{"pixel_values", {DType::F32, {count, 3, size.height, size.width}, floats}},
                     {"pixel_bytes", {DType::U8, {count, size.height, size.width, 3}, bytes}}},
                    {{"preprocessing", to_json(options.preprocessing).dump()}});
  std::printf("%lld x 3 x %lld x %lld, as %s\n", static_cast<long long>(count), static_cast<long long>(size.height),
              static_cast<long long>(size.width), options.preprocessing.origin.c_str());
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
