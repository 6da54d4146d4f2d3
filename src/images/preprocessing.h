// What a checkpoint's image processor does to a picture: resize, center crop, rescale, normalize.
// Source: transformers' image processors with the PIL backend (bytes and floats equal theirs).
#pragma once
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "images/image.h"
#include "images/resize.h"

namespace normscope {

struct Preprocessing {
  std::string origin = "defaults";  // "FOLDER/preprocessor_config.json", or processor_config.json, or "defaults"
  bool do_resize = true;
  int64_t height = 224, width = 224;            // 0: the size follows shortest_edge
  int64_t shortest_edge = 0, longest_edge = 0;  // longest_edge caps the other edge; 0: no cap
  Resample resample = Resample::Bilinear;
  bool do_center_crop = false;  // black is put around what is too small
  int64_t crop_height = 224, crop_width = 224;
  bool do_rescale = true;
  double rescale_factor = 1.0 / 255;
  bool do_normalize = true;
  std::array<double, 3> image_mean = {0.5, 0.5, 0.5}, image_std = {0.5, 0.5, 0.5};  // of rescaled red, green, blue
};

// json is a preprocessor_config.json, file its name in errors. What it leaves out is its processor's default (ViT's
// where it names none), a missing size the model's image_size. Throws Error(Checkpoint) naming file and key.
Preprocessing parse_preprocessing(std::string_view json, const std::string& file, int64_t image_size);

// The folder's processor_config.json where that has an image_processor (transformers' order), else its
// preprocessor_config.json; without either the defaults of DeiT's processor for model_type deit, of ViT's for others.
Preprocessing load_preprocessing(const std::filesystem::path& folder, std::string_view model_type, int64_t image_size);

// A preprocessor_config.json that transformers reads back to the same steps.
nlohmann::json to_json(const Preprocessing& preprocessing);

struct ImageSize {
  int64_t height, width;
};

// Of every picture. Throws Error(Checkpoint) where it would vary with the picture.
ImageSize output_size(const Preprocessing& preprocessing);

// Resized and cropped. Throws Error(Data) where the result would have no pixels or far too many.
Image preprocess_image(const Image& image, const Preprocessing& preprocessing);

// What the model gets for each channel's byte: rescaled and normalized.
using PixelTable = std::array<std::array<float, 256>, 3>;
PixelTable pixel_table(const Preprocessing& preprocessing);

// The study's CIFAR pixels (study.md D1): what its second conversion to bytes makes of each byte of the *resized*
// picture, p -> trunc(255 * normalized p) mod 256. The resize after it changes nothing, so preprocess_image, this
// table and pixel_table in this order are the whole of it.
std::array<uint8_t, 256> wrapped_cifar_bytes();

}  // namespace normscope
