// One picture from its file to 224 x 224 and to what a model gets, one thread; bench_images.py times Pillow on the
// same file.
// NORMSCOPE_BENCH_PICTURE: a JPEG; without it a small one of the test fixtures.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "core/error.h"
#include "core/file.h"
#include "images/decode.h"
#include "images/preprocessing.h"
#include "images/resize.h"

namespace {

using namespace normscope;

constexpr int64_t kEdge = 224;

std::string picture() {
  const char* file = std::getenv("NORMSCOPE_BENCH_PICTURE");
  return read_file(file == nullptr ? NORMSCOPE_FIXTURES "/images/orientation_1.jpg" : file, ErrorKind::Data);
}

void resize_only(benchmark::State& state, Resample filter) {
  const auto image = decode_image(picture());
  for (auto _ : state) benchmark::DoNotOptimize(resize(image, kEdge, kEdge, filter));
}

void decode_and_resize(benchmark::State& state, Resample filter) {
  const auto bytes = picture();
  for (auto _ : state) benchmark::DoNotOptimize(resize(decode_image(bytes), kEdge, kEdge, filter));
}

// Pixels as a model gets them: resized, rescaled, normalized, channel by channel.
void pixel_values(benchmark::State& state, Resample filter) {
  const auto bytes = picture();
  Preprocessing preprocessing;
  preprocessing.resample = filter;
  const auto table = pixel_table(preprocessing);
  constexpr size_t kPixels = kEdge * kEdge;
  std::vector<float> values(3 * kPixels);
  for (auto _ : state) {
    const auto image = preprocess_image(decode_image(bytes), preprocessing);
    for (size_t channel = 0; channel < 3; ++channel)
      for (size_t i = 0; i < kPixels; ++i) values[channel * kPixels + i] = table[channel][image.rgb[3 * i + channel]];
    benchmark::DoNotOptimize(values.data());
    benchmark::ClobberMemory();
  }
}

BENCHMARK_CAPTURE(resize_only, bilinear, Resample::Bilinear);
BENCHMARK_CAPTURE(resize_only, bicubic, Resample::Bicubic);
BENCHMARK_CAPTURE(decode_and_resize, bilinear, Resample::Bilinear);
BENCHMARK_CAPTURE(decode_and_resize, bicubic, Resample::Bicubic);
BENCHMARK_CAPTURE(pixel_values, bilinear, Resample::Bilinear);
BENCHMARK_CAPTURE(pixel_values, bicubic, Resample::Bicubic);

}  // namespace

BENCHMARK_MAIN();
