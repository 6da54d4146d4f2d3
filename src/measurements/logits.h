// Logits of many rows as a measurement gets them: off the device, row by row.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace normscope {

// A number for each class of each row, row-major [rows, classes]. `Kind` keeps apart what the numbers are.
template <typename Kind>
struct ClassRows {
  int64_t num_classes = 0;
  std::vector<double> values;

  int64_t count() const { return num_classes == 0 ? 0 : static_cast<int64_t>(values.size()) / num_classes; }
  std::span<const double> row(int64_t i) const {
    return {values.data() + i * num_classes, static_cast<size_t>(num_classes)};
  }
};

// In float64 so that no measurement depends on the precision of training.
using Logits = ClassRows<struct LogitKind>;

int predicted_label(std::span<const double> row);              // the first of the largest
double cross_entropy(std::span<const double> row, int label);  // nats; infinite or NaN logits give NaN or inf
double margin(std::span<const double> row, int label);         // logit of the label minus the largest other

}  // namespace normscope
