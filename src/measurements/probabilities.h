// Class probabilities of many rows, as a classifier's softmax gives them.
#pragma once
#include "measurements/logits.h"

namespace normscope {

// Row-major [rows, classes]; each row is in 0-1 and sums to 1.
struct Probabilities {
  int64_t num_classes = 0;
  std::vector<double> values;

  int64_t count() const { return num_classes == 0 ? 0 : static_cast<int64_t>(values.size()) / num_classes; }
  std::span<const double> row(int64_t i) const {
    return {values.data() + i * num_classes, static_cast<size_t>(num_classes)};
  }
};

Probabilities softmax(const Logits& logits);

}  // namespace normscope
