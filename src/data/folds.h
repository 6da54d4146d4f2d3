// Divides training rows into parts for judging each row by a model that has not seen it.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace normscope {

struct Folds {
  std::vector<int> of_row;  // 0 to num_folds - 1
  std::vector<std::string> warnings;
};

// Each class is spread as evenly as its rows allow; rows with one content (DataQuality's groups) stay together. The
// same arguments give the same folds on every machine. `labels` are classes. Throws Error(Usage) for fewer than 2
// folds or more folds than contents.
Folds stratified_folds(std::span<const int> labels, const DataQuality& quality, int64_t num_folds, int64_t seed,
                       std::span<const std::string> classes);

}  // namespace normscope
