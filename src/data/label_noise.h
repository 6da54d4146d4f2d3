// Label noise: which training rows get a wrong label, and which one.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace normscope {

struct NoiseOptions {
  std::string kind = "none";    // a name of noise_kinds()
  double rate = 0;              // fraction of the whole training set, 0 to 1
  std::string class_name = {};  // kind paper: the class whose rows are flipped
  std::string file = {};        // kind file: a noise.csv; "" = the data's true_label_column
  int64_t seed = 28;
  std::string column = {};       // kind file: column of `file` that has every row's given label; "" = a noise.csv
  std::string true_column = {};  // with `column`: the file's column of true labels, compared with the data's; "" = none
  std::string matrix = {};       // kind class_matrix: a file, or "estimated"
};

struct NoisyRow {
  int64_t row = 0, source_row = 0;  // in the training set, in its file
  int given_label = -1, true_label = -1;

  bool operator==(const NoisyRow&) const = default;
};

struct LabelNoise {
  std::vector<NoisyRow> rows;  // in drawn order
  std::vector<std::string> warnings;
};

struct NoiseKind {
  std::string name;
  std::string summary;
  LabelNoise (*draw)(const NoiseOptions& options, const Dataset& train, std::span<const std::string> classes);
};

std::span<const NoiseKind> noise_kinds();

// Draws the noise and leaves `train` as it is. The same options and rows give the same noise on every
// machine. Throws Error(Usage) for options that fit no data, Error(Data) for a noise file that does not fit
// this one.
LabelNoise draw_label_noise(const NoiseOptions& options, const Dataset& train, std::span<const std::string> classes);

// Rows that `rate` of `num_rows` makes, cut off as the study cuts it. Throws Error(Usage) outside 0 to 1 and
// when a rate above 0 makes none.
int64_t noisy_row_count(double rate, int64_t num_rows);

// The ways to draw, as the table lists them.
LabelNoise draw_paper_noise(const NoiseOptions&, const Dataset&, std::span<const std::string> classes);
LabelNoise draw_symmetric_noise(const NoiseOptions&, const Dataset&, std::span<const std::string> classes);
LabelNoise draw_pair_flip_noise(const NoiseOptions&, const Dataset&, std::span<const std::string> classes);
LabelNoise draw_matrix_noise(const NoiseOptions&, const Dataset&, std::span<const std::string> classes);
LabelNoise draw_instance_noise(const NoiseOptions&, const Dataset&, std::span<const std::string> classes);
LabelNoise read_noise(const NoiseOptions&, const Dataset&, std::span<const std::string> classes);

}  // namespace normscope
