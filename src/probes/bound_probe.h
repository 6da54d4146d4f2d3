// The singular values that theorem 2 needs, row by row, from one float64 pass of a few rows.
#pragma once
#include <functional>

#include "measurements/gradient_bounds.h"
#include "probes/gradient_probe.h"
#include "probes/singular_values.h"

namespace normscope {

// Of the rows `indices` with these labels, one each. `model` is in float64; its parameters need no gradient afterwards.
// `progress` is called with what share (0-1) of the work is done.
std::vector<RowChain> probe_bounds(const Model& model, const TokenRows& rows, std::span<const int64_t> indices,
                                   std::span<const int> labels, const BatchOptions& batch,
                                   const SingularValueOptions& options, const std::function<void(double)>& progress);

}  // namespace normscope
