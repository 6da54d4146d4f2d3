// The kind class_matrix: how many rows of each class get which label is counted out, which rows is drawn.
#include <numeric>

#include "core/error.h"
#include "core/file.h"
#include "core/random.h"
#include "data/label_noise.h"
#include "data/transition_matrix.h"

namespace normscope {
namespace {

TransitionMatrix matrix_of(const NoiseOptions& options, const Dataset& train, std::span<const std::string> classes) {
  require(!options.matrix.empty(), ErrorKind::Usage, "noise.matrix is not set; kind class_matrix needs a file, or ",
          "\"estimated\" where the data carries both labels");
  if (options.matrix != "estimated") {
    const MappedFile file(options.matrix, ErrorKind::Data);
    return parse_transition_matrix(file.bytes(), options.matrix, classes);
  }
  require(!train.given_labels.empty(), ErrorKind::Usage,
          "noise.matrix = \"estimated\" needs true_label_column: the data must carry both labels");
  return estimate_transitions(train.given_labels, train.labels, classes.size());
}

}  // namespace

LabelNoise draw_matrix_noise(const NoiseOptions& options, const Dataset& train, std::span<const std::string> classes) {
  const auto matrix = matrix_of(options, train, classes);
  std::vector<std::vector<int64_t>> rows(classes.size());
  for (size_t i = 0; i < train.size(); ++i)
    rows[static_cast<size_t>(train.labels[i])].push_back(static_cast<int64_t>(i));
  std::vector<int64_t> counts;
  for (const auto& list : rows) counts.push_back(static_cast<int64_t>(list.size()));
  const int64_t wanted = options.rate == 0 ? -1 : noisy_row_count(options.rate, static_cast<int64_t>(train.size()));
  const auto flips = flips_of(matrix, counts, wanted, classes);

  LabelNoise noise;
  for (size_t truth = 0; truth < classes.size(); ++truth) {
    RandomStream random(static_cast<uint64_t>(options.seed), "noise", truth);
    shuffle(rows[truth], random);
    size_t next = 0;
    for (size_t given = 0; given < classes.size(); ++given)
      for (int64_t i = 0; i < flips[truth][given]; ++i) {
        const int64_t row = rows[truth][next++];
        noise.rows.push_back(
            {row, train.source_rows[static_cast<size_t>(row)], static_cast<int>(given), static_cast<int>(truth)});
      }
  }
  if (noise.rows.empty()) noise.warnings.push_back("noise.matrix changes no label of these rows");
  return noise;
}

}  // namespace normscope
