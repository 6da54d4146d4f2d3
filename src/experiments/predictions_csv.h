// What a model predicts for rows, as users and the audit read it.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "measurements/logits.h"

namespace normscope {

// Columns row, label (where labels are known), predicted_label, then logit_<class>; a row a line, in the given order.
// `labels` are class indices, nothing when unknown.
std::string predictions_csv(std::span<const std::string> classes, std::span<const int64_t> rows,
                            std::optional<std::span<const int>> labels, const Logits& logits);

}  // namespace normscope
