// What the place of a picture tells about it.
#include "images/image_source.h"

namespace normscope {

bool is_raw(const ImageSource& source) { return source.offset >= 0; }

}  // namespace normscope
