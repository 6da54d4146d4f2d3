// How well a set of rows is classified.
#pragma once
#include "measurements/logits.h"

namespace normscope {

// Percentages 0-100; NaN for no rows. Macro means run over the classes that occur as label or prediction,
// a class without predictions counts with precision 0 (scikit-learn's zero_division=0).
struct Classification {
  int64_t rows = 0;
  double loss = 0;  // mean cross entropy, nats
  double accuracy = 0, macro_precision = 0, macro_recall = 0, macro_f1 = 0;
  std::vector<std::vector<int64_t>> confusion;  // [label][prediction]
};

// labels: one class index a row of the logits.
Classification classify(const Logits& logits, std::span<const int> labels);

}  // namespace normscope
