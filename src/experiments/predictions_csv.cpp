#include "experiments/predictions_csv.h"

#include "core/text.h"
#include "data/csv_reader.h"

namespace normscope {

std::string predictions_csv(std::span<const std::string> classes, std::span<const int64_t> rows,
                            std::optional<std::span<const int>> labels, const Logits& logits) {
  const auto name = [&](int label) { return csv_field(classes[static_cast<size_t>(label)]); };
  std::string csv = labels ? "row,label,predicted_label" : "row,predicted_label";
  for (const auto& label : classes) csv += "," + csv_field("logit_" + label);
  csv += "\n";
  for (int64_t i = 0; i < logits.count(); ++i) {
    csv += std::to_string(rows[static_cast<size_t>(i)]);
    if (labels) csv += "," + name((*labels)[static_cast<size_t>(i)]);
    csv += "," + name(predicted_label(logits.row(i)));
    for (const double logit : logits.row(i)) csv += "," + format_number(logit);
    csv += "\n";
  }
  return csv;
}

}  // namespace normscope
