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

// What tells data sets apart: every row's content, true label and source row, in order. 16 hexadecimal digits, kept
// beside a noise.csv in noise.csv.hash. Throws Error(Data) for a picture that cannot be read.
std::string training_set_hash(const Dataset& train, std::span<const std::string> classes);
std::string hash_path(const std::string& noise_file);

// The rows whose label in `column` differs from the data's; the file has one line a row of the training file, in its
// order. `true_column`, unless "", must repeat the data's labels. Throws Error(Data) with file and line.
std::vector<NoisyRow> parse_noise_column(std::string_view bytes, const std::string& file, const std::string& column,
                                         const std::string& true_column, const Dataset& train,
                                         std::span<const std::string> classes);

}  // namespace normscope
