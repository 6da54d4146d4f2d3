// CIFAR's batches of bytes: a label, then 32 x 32 pixels, red plane first.
// Source: A. Krizhevsky, "The CIFAR-10 and CIFAR-100 datasets", the binary version.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/source_rows.h"

namespace normscope {

struct CifarLayout {
  int64_t label_bytes = 1;  // CIFAR-100: coarse label, then fine label, which is the one used
  int num_classes = 10;

  int64_t record_bytes() const;
};

inline constexpr CifarLayout kCifar10{1, 10}, kCifar100{2, 100};

inline constexpr int64_t kCifarPixelBytes = 3 * 32 * 32;

// Where the pixels at `offset` of `file` are.
ImageSource cifar_picture(const std::string& file, int64_t offset);

// Adds a row a record; `classes` names the labels. A label out of range makes a bad row. Throws Error(Data) for a
// file that is no whole number of records.
void add_cifar_records(std::string_view bytes, const std::string& file, const CifarLayout& layout,
                       const std::vector<std::string>& classes, RowCollector& rows);

}  // namespace normscope
