// Finds duplicate rows, rows of one content with several labels, and held-out rows that training has too.
#pragma once
#include "data/dataset.h"

namespace normscope {

// Contents are compared byte by byte: texts, encoded pictures as their files are, raw pixels. Rows are those of the
// splits, ascending. Throws Error(Data) for a picture that cannot be read.
DataQuality inspect_quality(const Dataset& train, const Dataset& validation, const Dataset& test);

}  // namespace normscope
