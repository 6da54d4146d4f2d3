// What training, evaluation and noise see of a data set, and the loaders that read it from files.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "images/image_source.h"

namespace normscope {

// Rows in order; every vector that is not empty has one entry a row.
struct Dataset {
  std::vector<std::string> texts;    // either these ..
  std::vector<ImageSource> images;   // .. or these
  std::vector<int> labels;           // index into the classes, before any noise; -1 = unknown
  std::vector<int> given_labels;     // with a true_label_column only: the label column; labels are the true ones
  std::vector<int64_t> source_rows;  // 0-based data row of the file, header and blank lines not counted

  size_t size() const { return source_rows.size(); }
  bool has_images() const { return !images.empty(); }
};

// Rows `rows` of `from`, in that order.
Dataset take_rows(const Dataset& from, std::span<const int64_t> rows);

struct DataOptions {
  std::string format = "auto";  // a name of formats()
  std::string text_column = "text";
  std::string image_column = {};  // of paths from the data file's folder; "" = rows are texts, or the format decides
  std::string label_column = "label";
  std::string true_label_column = {};  // "" = none; else label_column holds the given, noisy label
  std::string delimiter = "auto";
  std::vector<std::string> labels = {};  // class order; empty = see order_classes
  std::string on_bad_row = "error";      // or "skip"
  std::string prepare = "plain";         // a name of preparations()
  double validation_fraction = 0;        // of train, when there is no validation file
  int64_t split_seed = 28;
  // Why a picture is none, or ""; asked for each row as read, from several threads. Empty: pictures are not looked at.
  std::function<std::string(const ImageSource&)> check_image = {};
};

struct SkippedRow {
  std::string file;
  int64_t line = 0;  // 1-based, where the row starts; 0: `file` is the picture
  int64_t source_row = 0;
  std::string reason;
};

// Content: the text, or the bytes of the picture.
struct DataQuality {
  std::vector<std::vector<int64_t>> duplicates = {};   // groups of training rows with one content and one label
  std::vector<std::vector<int64_t>> conflicting = {};  // groups of training rows with one content and several labels
  std::vector<std::pair<int64_t, int64_t>> validation_in_train = {},
                                           test_in_train = {};  // row there, first row of train
};

struct DataSplits {
  Dataset train, validation, test;   // the last two may have no rows
  std::vector<std::string> classes;  // labels as written in the data
  DataQuality quality;
  std::vector<SkippedRow> skipped;
  std::vector<std::string> notes;  // what the user should know and need not act on
};

struct LoadedDataset {
  Dataset rows;
  bool has_labels = false;
  std::vector<SkippedRow> skipped;
  std::vector<std::string> notes;
};

// Training data, files or folders: reads, prepares, orders the classes, splits. `validation` and `test` may be "".
// Throws Error(Data) naming file and line, Error(Usage) for options that contradict each other.
DataSplits load_splits(const std::string& train, const std::string& validation, const std::string& test,
                       const DataOptions& options, std::span<const std::string> checkpoint_labels);

// One file or folder for evaluate, predict and measure, with the classes of a checkpoint; nothing is prepared. Of a
// folder that holds training and test files it is the test files.
// With `needs_labels`, Error(Data) for a missing label column or a label that is no class; else those are -1.
LoadedDataset load_dataset(const std::string& path, const DataOptions& options, std::span<const std::string> classes,
                           bool needs_labels);

}  // namespace normscope
