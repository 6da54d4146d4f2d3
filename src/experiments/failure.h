// Whatever ended a computation as an Error in plain words.
#pragma once
#include <exception>

#include "core/error.h"

namespace normscope {

// Errors stay; out of memory and LibTorch's own failures become Error(Run).
Error to_error(const std::exception& failure);

}  // namespace normscope
