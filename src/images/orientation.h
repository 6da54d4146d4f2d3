// EXIF orientation: reading the tag and turning the picture upright.
#pragma once
#include <string_view>

#include "images/image.h"

namespace normscope {

// exif: a TIFF header with its directories, with or without "Exif\0\0" in front. 1 when there is no valid tag.
int exif_orientation(std::string_view exif);

// orientation 1-8 as EXIF numbers them (PIL.ImageOps.exif_transpose).
Image upright(Image image, int orientation);

}  // namespace normscope
