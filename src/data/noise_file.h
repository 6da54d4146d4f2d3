// noise.csv: row, source_row, given_label, true_label, labels as written in the data, rows in drawn order.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/label_noise.h"

namespace normscope {

std::string format_noise(std::span<const NoisyRow> rows, std::span<const std::string> classes);

// What tells which training row is meant: its place in the training set, or its place in the file, which stays where
// the set that a run trained on was split off the file.
enum class NoiseRowKey { Row, SourceRow };

// The rows of a noise file for this training set. Throws Error(Data) with file and line when a row is out of
// range or listed twice, a label is no class, or source_row or true_label differs from the data's.
std::vector<NoisyRow> parse_noise(std::string_view bytes, const std::string& file, const Dataset& train,
                                  std::span<const std::string> classes, NoiseRowKey key = NoiseRowKey::Row);

}  // namespace normscope
