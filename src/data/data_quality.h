// Finds duplicate texts, texts with several labels, and held-out texts that training has too.
#pragma once
#include "data/dataset.h"

namespace normscope {

// Texts are compared byte by byte. Rows are those of the splits, ascending.
DataQuality inspect_quality(const Dataset& train, const Dataset& validation, const Dataset& test);

}  // namespace normscope
