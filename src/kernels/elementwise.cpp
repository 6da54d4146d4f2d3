// Dropout and AdamW as single passes over memory.
#include <cmath>

#include "kernels/variant.h"

namespace normscope::kernels::NORMSCOPE_KERNELS {

template <typename Real>
void dropout(const Real* in, Real* out, int64_t begin, int64_t end, Dropout dropout) {
  const Real factor = Real(1 / dropout.keep);
  for (int64_t i = begin; i < end; ++i)
    out[i] = hash32(dropout.key, static_cast<uint32_t>(i)) < dropout.threshold ? Real(0) : in[i] * factor;
}

template <typename Real>
void adamw(Real* parameter, const Real* gradient, Real* first, Real* second, int64_t count, const AdamWStep& s) {
  const double correction = std::sqrt(1 - std::pow(s.beta2, static_cast<double>(s.step))) /
                            (1 - std::pow(s.beta1, static_cast<double>(s.step)));
  const Real step_size = Real(s.learning_rate * correction);
  const Real beta1 = Real(s.beta1), beta2 = Real(s.beta2), eps = Real(s.eps), scale = Real(s.gradient_scale);
  const Real new1 = Real(1 - s.beta1), new2 = Real(1 - s.beta2);
  const Real decay = Real(s.learning_rate * s.weight_decay);
  for (int64_t i = 0; i < count; ++i) {
    const Real g = gradient[i] * scale;
    const Real m = first[i] * beta1 + g * new1;
    const Real v = second[i] * beta2 + g * g * new2;
    first[i] = m;
    second[i] = v;
    Real p = parameter[i] - step_size * m / (std::sqrt(v) + eps);
    // Decoupled decay after the step, as transformers.AdamW applied it.
    p -= decay * p;
    parameter[i] = p;
  }
}

template void dropout(const float*, float*, int64_t, int64_t, Dropout);
template void dropout(const double*, double*, int64_t, int64_t, Dropout);
template void adamw(float*, const float*, float*, float*, int64_t, const AdamWStep&);
template void adamw(double*, const double*, double*, double*, int64_t, const AdamWStep&);

}  // namespace normscope::kernels::NORMSCOPE_KERNELS
