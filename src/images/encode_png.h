// Pictures as PNG, for people to look at.
#pragma once
#include <string>

#include "images/image.h"

namespace normscope {

// Bytes of a PNG file; decode_image gives the same pixels back.
std::string encode_png(const Image& image);

}  // namespace normscope
