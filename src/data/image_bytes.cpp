// Reading pixels out of files and containers.
#include "data/image_bytes.h"

namespace normscope {

void ImageBytes::open(const ImageSource& source) {
  if (is_raw(source)) containers_.try_emplace(source.file, source.file, ErrorKind::Data);
}

std::string ImageBytes::read(const ImageSource& source) const {
  if (!is_raw(source)) return read_file(source.file, ErrorKind::Data);
  const auto bytes = containers_.at(source.file).bytes();
  const auto begin = static_cast<size_t>(source.offset);
  const auto size = static_cast<size_t>(source.width * source.height * source.channels);
  require(begin <= bytes.size() && size <= bytes.size() - begin, ErrorKind::Data, source.file, ": ends at byte ",
          bytes.size(), "; a picture of ", size, " bytes begins at byte ", begin);
  return std::string(bytes.substr(begin, size));
}

}  // namespace normscope
