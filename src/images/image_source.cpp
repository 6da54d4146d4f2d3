// What the place of a picture tells about it.
#include "images/image_source.h"

namespace normscope {

bool is_raw(const ImageSource& source) { return source.offset >= 0; }

std::string place_of(const ImageSource& source) {
  return is_raw(source) ? source.file + " at byte " + std::to_string(source.offset) : source.file;
}

}  // namespace normscope
