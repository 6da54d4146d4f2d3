// The exact bytes of pictures: encoded files as they are, raw pixels out of their container.
#pragma once
#include <map>
#include <string>

#include "core/gzip.h"
#include "images/image_source.h"

namespace normscope {

// Keeps containers of raw pixels open, encoded files not.
class ImageBytes {
 public:
  // Once for each picture, before read(). Throws Error(Data) naming a container that cannot be read.
  void open(const ImageSource& source);
  // From any number of threads. Throws Error(Data) naming the file that cannot be read or is too short.
  std::string read(const ImageSource& source) const;

 private:
  std::map<std::string, UnzippedFile> containers_;
};

}  // namespace normscope
