// Pictures of a data set decoded to the bytes that a model is given, once, into a file that is mapped.
#pragma once
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "checkpoints/checkpoint.h"
#include "images/image_source.h"
#include "images/preprocessing.h"
#include "recipe/recipe.h"
#include "training/pictures.h"

namespace normscope {

struct PictureOptions {
  Preprocessing preprocessing;
  bool applies_exif_orientation = false;
  bool wraps_cifar_bytes = false;  // data.cifar_pixels = "paper"
};

// What [data] and the checkpoint say. Throws Error(Checkpoint), and Error(Usage) where the size would not fit the
// model and positions are not interpolated.
PictureOptions picture_options(const DataRecipe& data, const Checkpoint& checkpoint, bool interpolates_positions);

// Why a picture cannot be decoded, or "". For DataOptions::check_image; raw pixels are not looked at.
std::string why_no_picture(const ImageSource& source, const PictureOptions& options);

// Decodes with num_threads. The file lies in `folder` under the hash of the pictures' bytes and the options, and is
// taken as it is when it is there; without a folder it has no name and ends with the process. Throws Error(Data)
// naming the picture, Error(Run) when the disk is full.
Pictures decode_pictures(std::span<const ImageSource> sources, const PictureOptions& options,
                         const std::filesystem::path& folder, int num_threads);

// A row's picture as the model is given it.
Image picture_at(const Pictures& pictures, int64_t row);

}  // namespace normscope
