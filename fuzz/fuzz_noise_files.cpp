// Any bytes as a transition matrix (CSV or an audit's JSON) and as a column of given labels: valid, or an Error.
#include <cmath>
#include <cstdint>
#include <string_view>

#include "core/error.h"
#include "data/noise_file.h"
#include "data/transition_matrix.h"

using namespace normscope;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string classes[] = {"a", "b"};
  try {
    for (const auto& row : parse_transition_matrix(bytes, "f", classes)) {
      double sum = 0;
      for (const double p : row) sum += p;
      if (row.size() != 2 || !(std::abs(sum - 1) < 1e-9)) __builtin_trap();
    }
  } catch (const Error&) {
  }
  Dataset train;
  train.labels = {0, 1, 0};
  train.source_rows = {2, 0, 1};
  for (const std::string truth : {"", "clean"}) {
    try {
      for (const auto& row : parse_noise_column(bytes, "f", "worst", truth, train, classes))
        if (row.row < 0 || row.row > 2 || row.given_label == row.true_label) __builtin_trap();
    } catch (const Error&) {
    }
  }
  return 0;
}
