// From files to labelled splits: read, prepare, order the classes, number the labels, split off validation.
#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "data/class_order.h"
#include "data/data_quality.h"
#include "data/formats.h"
#include "data/preparations.h"
#include "data/stratified_split.h"

namespace normscope {
namespace {

ReadOptions read_options(const DataOptions& options, const Preparation& preparation) {
  require(options.on_bad_row == "error" || options.on_bad_row == "skip", ErrorKind::Usage, "on_bad_row is \"",
          options.on_bad_row, "\"; expected error or skip");
  require(options.true_label_column.empty() || options.true_label_column != options.label_column, ErrorKind::Usage,
          "true_label_column and label_column are both \"", options.label_column, "\"");
  ReadOptions text;
  const DataOptions defaults;
  const auto column = [](const std::string& asked, const std::string& usual, const std::string& prepared) {
    return asked == usual && !prepared.empty() ? prepared : asked;
  };
  text.text_column = column(options.text_column, defaults.text_column, preparation.text_column);
  text.label_column = column(options.label_column, defaults.label_column, preparation.label_column);
  text.true_label_column = options.true_label_column;
  text.image_column = options.image_column;
  text.delimiter = options.delimiter;
  text.labels_in_names = preparation.label_rows != nullptr;
  text.needs_labels = !text.labels_in_names;
  text.skips_bad_rows = options.on_bad_row == "skip";
  return text;
}

// A file's rows, without bad pictures and with the labels that its names tell.
SourceRows read_rows(const std::string& path, const DataOptions& options, const ReadOptions& reading,
                     const Preparation& preparation) {
  auto file = read_source_rows(path, options.format, reading);
  if (preparation.label_rows != nullptr) preparation.label_rows(file, options.label_column);
  check_images(file, options);
  return file;
}

void require_one_kind(const PreparationInput& input) {
  for (const auto* file : {&input.validation, &input.test})
    require(file->rows.empty() || file->has_images == input.train.has_images, ErrorKind::Data, file->file,
            ": rows are ", file->has_images ? "pictures" : "texts", "; those of ", input.train.file, " are ",
            input.train.has_images ? "pictures" : "texts");
}

// Every label of a file's rows, given and true.
std::vector<std::string> labels_of(const SourceRows& file) {
  std::vector<std::string> labels;
  for (const auto& row : file.rows) {
    labels.push_back(row.label);
    if (file.has_true_labels) labels.push_back(row.true_label);
  }
  return labels;
}

// A label that is no class is an error with its line, or -1 where labels are not needed.
Dataset to_dataset(SourceRows file, std::span<const std::string> classes, bool needs_labels) {
  Dataset dataset;
  const auto number = [&](const SourceRow& row, const std::string& label) {
    if (label.empty()) return -1;
    const int index = find_class(classes, label);
    if (index < 0 && needs_labels)
      throw Error(ErrorKind::Data, place_of(file.file, row) + ": " + unknown_class(classes, label));
    return index;
  };
  for (auto& row : file.rows) {
    const int given = file.has_labels ? number(row, row.label) : -1;
    dataset.labels.push_back(file.has_true_labels ? number(row, row.true_label) : given);
    if (file.has_true_labels) dataset.given_labels.push_back(given);
    if (file.has_images) {
      dataset.images.push_back(std::move(row.image));
    } else {
      dataset.texts.push_back(std::move(row.text));
    }
    dataset.source_rows.push_back(row.source_row);
  }
  return dataset;
}

void require_trained_classes(const SourceRows& held_out, const char* split, const SourceRows& train) {
  const auto labels = labels_of(train);
  const std::vector<std::string> sorted = order_classes(labels, {}, {});
  for (const auto& row : held_out.rows)
    for (const auto* label : {&row.label, &row.true_label})
      require(label->empty() || std::ranges::find(sorted, *label) != sorted.end(), ErrorKind::Data,
              place_of(held_out.file, row), ": the ", split, " set has class \"", *label,
              "\", which no training row has (", train.file, ")");
}

std::vector<std::string> choose_classes(const SourceRows& train, std::vector<std::string> prepared,
                                        const DataOptions& options, std::span<const std::string> checkpoint_labels) {
  if (prepared.empty()) {
    const auto labels = labels_of(train);
    const auto order = order_classes(labels, options.labels, checkpoint_labels);
    const bool is_known = !options.labels.empty() || std::ranges::equal(order, checkpoint_labels);
    return is_known || train.classes.empty() ? order : order_classes(labels, train.classes, {});
  }
  require(options.labels.empty() || options.labels == prepared, ErrorKind::Usage, "labels: prepare = \"",
          options.prepare, "\" fixes the class order to ", join(prepared, ", "));
  return prepared;
}

void split_validation(DataSplits& splits, double fraction, int64_t seed) {
  std::vector<int64_t> counts(splits.classes.size());
  for (const int label : splits.train.labels) ++counts[static_cast<size_t>(label)];
  for (size_t i = 0; i < counts.size(); ++i)
    require(counts[i] != 1, ErrorKind::Data, "class \"", splits.classes[i],
            "\" has one training row; splitting off a validation set needs at least two of every class");
  const auto sizes = sizes_from_test_fraction(static_cast<int64_t>(splits.train.size()), fraction);
  const auto split = stratified_split(splits.train.labels, sizes, seed);
  splits.validation = take_rows(splits.train, split.test);
  splits.validation.given_labels.clear();
  splits.train = take_rows(splits.train, split.train);
}

void note_classes(DataSplits& splits, std::span<const std::string> checkpoint_labels) {
  std::vector<int64_t> counts(splits.classes.size());
  for (const int label : splits.train.labels) ++counts[static_cast<size_t>(label)];
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i] == 0) splits.notes.push_back("class \"" + splits.classes[i] + "\" has no training row");
  const auto is_known = [&](const std::string& label) {
    return std::ranges::find(checkpoint_labels, label) != checkpoint_labels.end();
  };
  if (checkpoint_labels.size() > splits.classes.size() && std::ranges::all_of(splits.classes, is_known))
    splits.notes.push_back("the checkpoint has " + std::to_string(checkpoint_labels.size()) + " classes, the data " +
                           std::to_string(splits.classes.size()) + " of them; set labels to keep the checkpoint's");
}

}  // namespace

Dataset take_rows(const Dataset& from, std::span<const int64_t> rows) {
  Dataset taken;
  for (const int64_t row : rows) {
    const auto i = static_cast<size_t>(row);
    if (!from.texts.empty()) taken.texts.push_back(from.texts[i]);
    if (!from.images.empty()) taken.images.push_back(from.images[i]);
    taken.labels.push_back(from.labels[i]);
    if (!from.given_labels.empty()) taken.given_labels.push_back(from.given_labels[i]);
    taken.source_rows.push_back(from.source_rows[i]);
  }
  return taken;
}

DataSplits load_splits(const std::string& train, const std::string& validation, const std::string& test,
                       const DataOptions& options, std::span<const std::string> checkpoint_labels) {
  const auto& preparation = find_preparation(options.prepare);
  require(options.validation_fraction >= 0 && options.validation_fraction < 1, ErrorKind::Usage,
          "validation_fraction is ", options.validation_fraction, "; expected at least 0 and less than 1");
  require(validation.empty() || options.validation_fraction == 0, ErrorKind::Usage,
          "validation_fraction and a validation file are both given (", validation, ")");
  require(!preparation.makes_validation || (validation.empty() && options.validation_fraction == 0), ErrorKind::Usage,
          "prepare = \"", options.prepare,
          "\" splits validation rows off train; leave validation and "
          "validation_fraction out");
  require(!preparation.makes_test || test.empty(), ErrorKind::Usage, "prepare = \"", options.prepare,
          "\" splits test rows off train; leave test out (", test, ")");
  ReadOptions reading = read_options(options, preparation);
  PreparationInput input;
  input.split_seed = options.split_seed;
  reading.needs_true_labels = true;
  input.train = read_rows(train, options, reading, preparation);
  reading.needs_true_labels = false;
  reading.role = SplitRole::Validation;
  if (!validation.empty()) input.validation = read_rows(validation, options, reading, preparation);
  reading.role = SplitRole::Test;
  if (!test.empty()) input.test = read_rows(test, options, reading, preparation);
  require_one_kind(input);

  DataSplits splits;
  for (const auto* file : {&input.train, &input.validation, &input.test}) {
    splits.skipped.insert(splits.skipped.end(), file->skipped.begin(), file->skipped.end());
    splits.notes.insert(splits.notes.end(), file->notes.begin(), file->notes.end());
  }
  auto prepared = preparation.prepare(input);
  splits.notes.insert(splits.notes.end(), input.notes.begin(), input.notes.end());
  require(!input.train.rows.empty(), ErrorKind::Data, train, ": no training rows");
  require_trained_classes(input.validation, "validation", input.train);
  require_trained_classes(input.test, "test", input.train);
  splits.classes = choose_classes(input.train, std::move(prepared), options, checkpoint_labels);
  splits.train = to_dataset(std::move(input.train), splits.classes, true);
  splits.validation = to_dataset(std::move(input.validation), splits.classes, true);
  splits.test = to_dataset(std::move(input.test), splits.classes, true);
  splits.validation.given_labels.clear();
  splits.test.given_labels.clear();

  note_classes(splits, checkpoint_labels);
  const double fraction =
      options.validation_fraction > 0 ? options.validation_fraction : preparation.validation_fraction;
  if (validation.empty() && fraction > 0) split_validation(splits, fraction, options.split_seed);
  splits.quality = inspect_quality(splits.train, splits.validation, splits.test);
  return splits;
}

LoadedDataset load_dataset(const std::string& path, const DataOptions& options, std::span<const std::string> classes,
                           bool needs_labels) {
  const auto& preparation = find_preparation(options.prepare);
  auto reading = read_options(options, preparation);
  reading.needs_labels &= needs_labels;
  reading.role = SplitRole::Test;
  auto file = read_rows(path, options, reading, preparation);
  LoadedDataset loaded;
  loaded.has_labels = file.has_labels || file.has_true_labels;
  loaded.skipped = file.skipped;
  loaded.notes = file.notes;
  loaded.rows = to_dataset(std::move(file), classes, needs_labels);
  return loaded;
}

}  // namespace normscope
