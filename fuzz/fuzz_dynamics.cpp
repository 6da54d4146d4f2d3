// Any bytes as dynamics.bin: whole epochs of classes, or an Error.
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/error.h"
#include "measurements/training_dynamics.h"

using namespace normscope;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<DynamicsRecord> aligned(size / sizeof(DynamicsRecord) + 1);
  if (size > 0) std::memcpy(aligned.data(), data, size);
  try {
    const auto dynamics = parse_dynamics({reinterpret_cast<const char*>(aligned.data()), size});
    if (dynamics.epochs.empty()) return 0;
    const std::vector<int> labels(dynamics.rows, 0);
    for (const auto& row : measure_dynamics(dynamics.epochs, labels))
      if (row.suggested_label >= static_cast<int>(dynamics.classes) || row.suggested_label == 0) __builtin_trap();
  } catch (const Error&) {
  }
  return 0;
}
