// A norm's scale and shift moved into the linear maps that read it, where that is exact.
#pragma once
#include <optional>
#include <string>

#include "nn/norm.h"

namespace normscope {

// Nothing when every map that reads the norm can take its parameters, else why not, to follow the norm's name.
std::optional<std::string> why_not_foldable(const Norm& norm);

// (w * n + b) V + c = n (diag(w) V) + (b V + c) for every map V, c that reads the norm; w and b leave the model.
void fold(Norm& norm, ParameterSet& parameters);

}  // namespace normscope
