// Chooses the kernels' vector width by what the processor has, once.
#include "kernels/kernels.h"

#define DECLARE_VARIANT(variant)                                                                             \
  namespace variant {                                                                                        \
  template <typename Real>                                                                                   \
  void attention_forward(const AttentionTask<Real>&, Real*);                                                 \
  template <typename Real>                                                                                   \
  void attention_backward(const AttentionTask<Real>&, Real*);                                                \
  template <typename Real>                                                                                   \
  void dropout(const Real*, Real*, int64_t, int64_t, Dropout);                                               \
  template <typename Real>                                                                                   \
  void adamw(Real*, const Real*, Real*, Real*, int64_t, const AdamWStep&);                                   \
  void weighted_rows(const uint8_t*, int64_t, int64_t, const int32_t*, int64_t, uint8_t*);                   \
  void weighted_pixels(const uint8_t*, int64_t, const PixelTaps&, int64_t, uint8_t*, int64_t);               \
  const ImageTable& image_table() {                                                                          \
    static constexpr ImageTable kTable = {weighted_rows, weighted_pixels};                                   \
    return kTable;                                                                                           \
  }                                                                                                          \
  template <typename Real>                                                                                   \
  const Table<Real>& table() {                                                                               \
    static constexpr Table<Real> kTable = {attention_forward<Real>, attention_backward<Real>, dropout<Real>, \
                                           adamw<Real>};                                                     \
    return kTable;                                                                                           \
  }                                                                                                          \
  }

namespace normscope::kernels {

DECLARE_VARIANT(baseline)
#ifdef NORMSCOPE_X86
DECLARE_VARIANT(avx2)
DECLARE_VARIANT(avx512)
#endif

namespace {

enum class Width { Baseline, Avx2, Avx512 };

Width width() {
#ifdef NORMSCOPE_X86
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma"))
    return Width::Avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Width::Avx2;
#endif
  return Width::Baseline;
}

}  // namespace

template <typename Real>
const Table<Real>& table() {
#ifdef NORMSCOPE_X86
  static const Width kWidth = width();
  if (kWidth == Width::Avx512) return avx512::table<Real>();
  if (kWidth == Width::Avx2) return avx2::table<Real>();
#endif
  return baseline::table<Real>();
}

const ImageTable& image_table() {
#ifdef NORMSCOPE_X86
  static const Width kWidth = width();
  if (kWidth == Width::Avx512) return avx512::image_table();
  if (kWidth == Width::Avx2) return avx2::image_table();
#endif
  return baseline::image_table();
}

std::vector<const ImageTable*> runnable_image_tables() {
  std::vector<const ImageTable*> tables = {&baseline::image_table()};
#ifdef NORMSCOPE_X86
  if (width() >= Width::Avx2) tables.push_back(&avx2::image_table());
  if (width() >= Width::Avx512) tables.push_back(&avx512::image_table());
#endif
  return tables;
}

template const Table<float>& table();
template const Table<double>& table();

const char* variant_name() {
  switch (width()) {
    case Width::Avx512:
      return "avx512";
    case Width::Avx2:
      return "avx2";
    default:
      return "baseline";
  }
}

}  // namespace normscope::kernels
