#include "training/pictures.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

namespace normscope {

torch::Tensor pixel_values(const Pictures& pictures, std::span<const int64_t> indices) {
  const int64_t size = pictures.height * pictures.width;
  auto tensor = at::empty({std::ssize(indices), 3, pictures.height, pictures.width}, at::kFloat);
  float* const out = tensor.data_ptr<float>();
  at::parallel_for(0, std::ssize(indices), 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const uint8_t* const bytes = pictures.rgb[static_cast<size_t>(indices[static_cast<size_t>(row)])];
      for (int64_t channel = 0; channel < 3; ++channel) {
        const auto& values = pictures.values[static_cast<size_t>(channel)];
        float* const to = out + (3 * row + channel) * size;
        for (int64_t i = 0; i < size; ++i) to[i] = values[bytes[3 * i + channel]];
      }
    }
  });
  if (pictures.file) pictures.file->release_pages();
  return tensor;
}

}  // namespace normscope
