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

void weighted_rows(const uint8_t* in, int64_t stride, int64_t lanes, const int32_t* weights, int64_t count,
                   uint8_t* out);
void weighted_pixels(const uint8_t* in, int64_t in_stride, const PixelTaps& taps, int64_t width, uint8_t* out,
                     int64_t out_stride);

}  // namespace normscope::kernels::NORMSCOPE_KERNELS
