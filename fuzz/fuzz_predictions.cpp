// Any bytes as a file of probabilities and as its file of labels: whole rows of valid numbers, or an Error.
#include <cstdint>
#include <string_view>

#include "core/error.h"
#include "data/prediction_file.h"

using namespace normscope;

namespace {

void check(const PredictionFile& file) {
  const size_t rows = file.rows.size(), classes = file.classes.size();
  if (rows == 0 || classes < 2 || file.values.size() != rows * classes || file.labels.size() != rows) __builtin_trap();
  for (const int label : file.labels)
    if (label < 0 || label >= static_cast<int>(classes)) __builtin_trap();
  for (const double value : file.values)
    if (!file.are_logits && !(value >= 0 && value <= 1)) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view predictions = "a,b\n0.5,0.5\n1,0\n";
  for (const bool as_labels : {false, true}) {
    try {
      check(as_labels ? parse_predictions(predictions, "p", {}, bytes, "l") : parse_predictions(bytes, "p", {}));
    } catch (const Error&) {
    }
  }
  return 0;
}
