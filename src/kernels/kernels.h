// Single-thread numeric loops over raw memory, compiled once a vector width and chosen by the processor.
// Callers split the work over threads; no result depends on how they do it.
#pragma once
#include <cstdint>
#include <vector>

namespace normscope::kernels {

// Which keys a query may see inside its row.
struct AttentionPattern {
  bool causal = false;
  int64_t window = 0;            // 0: all; causal: the last `window` keys; else keys at distance <= window
  bool first_is_global = false;  // every query sees key 0 as well
};

// 32 well-mixed bits of (key, index) (Ettinger's lowbias32): dropout that needs no stored mask.
inline uint32_t hash32(uint32_t key, uint32_t index) {
  uint32_t x = index * 0x9e3779b1u + key;
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

// Elements whose hash is under the threshold are dropped, the others divided by `keep`.
struct Dropout {
  uint32_t key = 0;
  uint32_t threshold = 0;  // p * 2^32; 0 drops nothing
  double keep = 1.0;       // 1 - p
};

// One head of one row. T tokens, K head width; strides in elements between tokens.
template <typename Real>
struct AttentionTask {
  int64_t tokens, head_size;
  const Real *query, *key, *value;  // [T, K]
  int64_t query_stride, key_stride, value_stride;
  Real* output;  // [T, K]
  int64_t output_stride;
  Real* log_sum;  // [T], stride log_sum_stride
  int64_t log_sum_stride;
  Real scale;
  AttentionPattern pattern;
  Dropout dropout;
  // Backward only; the key and value gradients are added to (heads share keys in grouped attention).
  const Real* output_gradient = nullptr;
  Real *query_gradient = nullptr, *key_gradient = nullptr, *value_gradient = nullptr;
  int64_t output_gradient_stride = 0, query_gradient_stride = 0, key_gradient_stride = 0, value_gradient_stride = 0;
};

// AdamW with eps inside the un-corrected denominator (study.md 2.5).
struct AdamWStep {
  double learning_rate, beta1, beta2, eps, weight_decay;
  int64_t step;  // 1-based
  double gradient_scale = 1.0;
};

template <typename Real>
struct Table {
  // `scratch` holds attention_scratch(tokens, head_size) elements.
  void (*attention_forward)(const AttentionTask<Real>&, Real* scratch);
  void (*attention_backward)(const AttentionTask<Real>&, Real* scratch);
  // out[i] = in[i] dropped or scaled, for i in [begin, end).
  void (*dropout)(const Real* in, Real* out, int64_t begin, int64_t end, Dropout);
  // One pass over parameter, gradient and both moments.
  void (*adamw)(Real* parameter, const Real* gradient, Real* first, Real* second, int64_t count, const AdamWStep&);
};

inline int64_t attention_scratch(int64_t tokens, int64_t head_size) {
  return 3 * tokens * tokens + 4 * tokens * head_size + 64;
}

constexpr int kWeightBits = 22;      // fraction bits of the weights that resize pictures
constexpr int64_t kPixelRows = 4;    // rows that weighted_pixels reads
constexpr int64_t kPixelTaps = 4;    // it takes so many taps a step
constexpr int64_t kPixelSlack = 16;  // and may read so many bytes behind a row's last pixel

// For each output pixel of a row, the input pixels that it sums. Counts are multiples of kPixelTaps, filled up with
// weights of 0.
struct PixelTaps {
  struct Range {
    int64_t first, count, weights_at;
  };
  const Range* ranges;
  const int32_t* weights;
};

struct ImageTable {
  // out[i] = clamped to a byte (sum over k of in[k * stride + i] * weights[k], rounded, / 2^22), i in [0, lanes).
  void (*weighted_rows)(const uint8_t* in, int64_t stride, int64_t lanes, const int32_t* weights, int64_t count,
                        uint8_t* out);
  // The same along kPixelRows rows of RGB pixels; a byte behind an output row's last pixel may be written.
  void (*weighted_pixels)(const uint8_t* in, int64_t in_stride, const PixelTaps& taps, int64_t width, uint8_t* out,
                          int64_t out_stride);
};

// The widest variants that this processor runs.
template <typename Real>
const Table<Real>& table();
const ImageTable& image_table();
std::vector<const ImageTable*> runnable_image_tables();  // for tests: every variant that this processor runs
const char* variant_name();

}  // namespace normscope::kernels
