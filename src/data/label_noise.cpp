// The table of noise kinds, the checks they share, and the drawn ones.
// Source: study.md 2.3 for the kind paper.
#include "data/label_noise.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "core/error.h"
#include "core/random.h"
#include "core/text.h"
#include "data/class_order.h"
#include "data/python_random.h"

namespace normscope {
namespace {

LabelNoise draw_nothing(const NoiseOptions&, const Dataset&, std::span<const std::string>) { return {}; }

NoisyRow noisy_row(const Dataset& train, int64_t row, int given_label) {
  const auto i = static_cast<size_t>(row);
  return {row, train.source_rows[i], given_label, train.labels[i]};
}

// `count` rows of all of them, in drawn order.
std::vector<int64_t> draw_rows(size_t num_rows, int64_t count, RandomStream& random) {
  std::vector<int64_t> rows(num_rows);
  std::iota(rows.begin(), rows.end(), int64_t{0});
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) std::swap(rows[i], rows[i + random.below(num_rows - i)]);
  rows.resize(static_cast<size_t>(count));
  return rows;
}

LabelNoise start_noise(const NoiseOptions& options) {
  LabelNoise noise;
  if (options.rate == 0) noise.warnings.push_back("noise.rate is 0: no label is changed");
  return noise;
}

}  // namespace

int64_t noisy_row_count(double rate, int64_t num_rows) {
  require(rate >= 0 && rate <= 1, ErrorKind::Usage, "noise.rate is ", rate,
          "; expected a fraction from 0 to 1 (1 % is 0.01)");
  // The study multiplies percent / 100, which is the double that the recipe's decimal reads as.
  const auto count = static_cast<int64_t>(rate * static_cast<double>(num_rows));
  require(count > 0 || rate == 0, ErrorKind::Usage, "noise.rate ", rate, " of ", num_rows,
          " training rows is less than one row");
  return count;
}

LabelNoise draw_paper_noise(const NoiseOptions& options, const Dataset& train, std::span<const std::string> classes) {
  require(!options.class_name.empty(), ErrorKind::Usage,
          "noise.class is not set; kind paper flips the rows of "
          "one class: ",
          join(classes, ", "));
  const int flipped = find_class(classes, options.class_name);
  if (flipped < 0) throw Error(ErrorKind::Usage, "noise.class: " + unknown_class(classes, options.class_name));
  auto noise = start_noise(options);
  auto count = static_cast<size_t>(noisy_row_count(options.rate, static_cast<int64_t>(train.size())));
  std::vector<int64_t> candidates;
  for (size_t i = 0; i < train.size(); ++i)
    if (train.labels[i] == flipped) candidates.push_back(static_cast<int64_t>(i));
  if (count > candidates.size()) {
    noise.warnings.push_back("noise.rate asks for " + std::to_string(count) + " rows of class \"" +
                             classes[static_cast<size_t>(flipped)] + "\", which has " +
                             std::to_string(candidates.size()) + "; all of them get a wrong label");
    count = candidates.size();
  } else if (count > 0 && count == candidates.size()) {
    noise.warnings.push_back("all " + std::to_string(count) + " training rows of class \"" +
                             classes[static_cast<size_t>(flipped)] +
                             "\" get a wrong label: nothing is left to recover the class from");
  }
  std::vector<int> others;
  for (int c = 0; c < static_cast<int>(classes.size()); ++c)
    if (c != flipped) others.push_back(c);
  for (const int64_t row : PythonRandom(options.seed).sample(candidates, count))
    noise.rows.push_back(noisy_row(train, row, PythonRandom(options.seed + row).choice(others)));
  return noise;
}

LabelNoise draw_symmetric_noise(const NoiseOptions& options, const Dataset& train,
                                std::span<const std::string> classes) {
  auto noise = start_noise(options);
  const int64_t count = noisy_row_count(options.rate, static_cast<int64_t>(train.size()));
  RandomStream random(static_cast<uint64_t>(options.seed), "noise");
  for (const int64_t row : draw_rows(train.size(), count, random)) {
    // A stream a row: a higher rate adds rows and keeps the labels of those before.
    RandomStream label_random(static_cast<uint64_t>(options.seed), "noise_label", static_cast<uint64_t>(row));
    const int draw = static_cast<int>(label_random.below(classes.size() - 1));
    noise.rows.push_back(noisy_row(train, row, draw + (draw >= train.labels[static_cast<size_t>(row)])));
  }
  return noise;
}

LabelNoise draw_pair_flip_noise(const NoiseOptions& options, const Dataset& train,
                                std::span<const std::string> classes) {
  auto noise = start_noise(options);
  const int64_t count = noisy_row_count(options.rate, static_cast<int64_t>(train.size()));
  RandomStream random(static_cast<uint64_t>(options.seed), "noise");
  for (const int64_t row : draw_rows(train.size(), count, random)) {
    const int next = (train.labels[static_cast<size_t>(row)] + 1) % static_cast<int>(classes.size());
    noise.rows.push_back(noisy_row(train, row, next));
  }
  return noise;
}

std::span<const NoiseKind> noise_kinds() {
  static const std::vector<NoiseKind> table = {
      {"none", "every label is kept", draw_nothing},
      {"paper", "rate of the training set, all from one class, to any other class (study.md 2.3)", draw_paper_noise},
      {"symmetric", "rows of all classes, to any other class", draw_symmetric_noise},
      {"pair_flip", "rows of all classes, to the next class", draw_pair_flip_noise},
      {"class_matrix", "classes to classes in the proportions of noise.matrix, a file or estimated from the data",
       draw_matrix_noise},
      {"instance", "rows and labels that depend on what the rows contain (Xia et al. 2020)", draw_instance_noise},
      {"file", "a noise.csv, a column of given labels, or the rows whose label differs from true_label_column",
       read_noise},
  };
  return table;
}

LabelNoise draw_label_noise(const NoiseOptions& options, const Dataset& train, std::span<const std::string> classes) {
  std::vector<std::string> names;
  for (const auto& kind : noise_kinds()) names.push_back(kind.name);
  const auto at = std::ranges::find(names, options.kind);
  if (at == names.end()) {
    const auto nearest = nearest_name(options.kind, names);
    throw Error(ErrorKind::Usage, "noise.kind is \"" + options.kind + "\"; known: " + join(names, ", ") +
                                      (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
  }
  require(options.kind == "none" || classes.size() >= 2, ErrorKind::Usage, "noise.kind ", options.kind,
          " needs two classes; the data has ", classes.size());
  const bool reads_given = options.kind == "file" || (options.kind == "class_matrix" && options.matrix == "estimated");
  require(reads_given || train.given_labels.empty(), ErrorKind::Usage,
          "true_label_column is the noise of kind file; noise.kind is ", options.kind);
  assert(std::ranges::none_of(train.labels, [](int label) { return label < 0; }));
  auto noise = noise_kinds()[static_cast<size_t>(at - names.begin())].draw(options, train, classes);
  if (!options.class_name.empty() && options.kind != "paper" && options.kind != "none")
    noise.warnings.push_back("noise.class is used by kind paper only");
  return noise;
}

}  // namespace normscope
