// Any bytes as csv, tsv, txt and noise.csv: rows or an Error, and rows that fit what was promised.
#include <cstdint>
#include <string_view>

#include "core/error.h"
#include "core/text.h"
#include "data/formats.h"
#include "data/noise_file.h"

using namespace normscope;

namespace {

void read_once(RowReader reader, std::string_view bytes, const ReadOptions& options) {
  try {
    for (const auto& row : reader(bytes, "f", options).rows)
      if (find_invalid_utf8(row.text) != std::string_view::npos || row.line < 1) __builtin_trap();
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const bool skips : {false, true}) {
    ReadOptions options;
    options.skips_bad_rows = skips;
    options.needs_labels = !skips;
    for (const auto reader : {read_csv, read_tsv, read_txt}) read_once(reader, bytes, options);
  }
  Dataset train;
  train.labels = {0, 1, 0};
  train.source_rows = {0, 1, 2};
  const std::string classes[] = {"a", "b"};
  try {
    for (const auto& row : parse_noise(bytes, "f", train, classes))
      if (row.row < 0 || row.row > 2 || row.given_label == row.true_label) __builtin_trap();
  } catch (const Error&) {
  }
  return 0;
}
