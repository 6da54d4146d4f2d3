// The namespace that a kernel file is compiled into: its vector width, set by CMake.
#pragma once
#include "kernels/kernels.h"

#ifndef NORMSCOPE_KERNELS
#define NORMSCOPE_KERNELS baseline
#endif

namespace normscope::kernels::NORMSCOPE_KERNELS {

template <typename Real>
void attention_forward(const AttentionTask<Real>&, Real* scratch);
template <typename Real>
void attention_backward(const AttentionTask<Real>&, Real* scratch);
template <typename Real>
void dropout(const Real* in, Real* out, int64_t begin, int64_t end, Dropout);
template <typename Real>
void adamw(Real* parameter, const Real* gradient, Real* first, Real* second, int64_t count, const AdamWStep&);

}  // namespace normscope::kernels::NORMSCOPE_KERNELS
