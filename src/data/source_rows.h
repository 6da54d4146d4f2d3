// Rows of a file or folder as written, before labels become class numbers; what every format fills.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/dataset.h"

namespace normscope {

struct SourceRow {
  std::string text = {};
  ImageSource image = {};                   // instead of a text
  std::string label = {}, true_label = {};  // empty when the file has no such column
  int64_t source_row = 0;
  int64_t line = 0;  // 1-based; 0: the row is no line of a file
};

struct SourceRows {
  std::string file;
  std::vector<SourceRow> rows;
  bool has_images = false;  // else the rows are texts
  bool has_labels = false, has_true_labels = false;
  std::vector<std::string> classes;  // in the format's own order, where it has one
  std::vector<SkippedRow> skipped;
  std::vector<std::string> notes;
};

// Which rows of a folder are wanted that holds training and test files.
enum class SplitRole { Train, Validation, Test };

struct ReadOptions {
  std::string text_column = "text", label_column = "label", true_label_column = {}, image_column = {};
  std::string delimiter = "auto";
  bool needs_labels = true;
  bool needs_true_labels = false;  // else a missing true_label_column is passed over (a clean test file)
  bool skips_bad_rows = false;
  bool labels_in_names = false;  // a folder of pictures has no class folders: their names tell the labels
  SplitRole role = SplitRole::Train;
};

// Collects the rows of one file and decides what a bad row does.
class RowCollector {
 public:
  RowCollector(std::string_view file, const ReadOptions& options);

  void set_columns(bool has_labels, bool has_true_labels);
  // Takes a row. With an image_column its text is a picture's path. A picture that is no file makes it bad, and
  // where labels are needed an empty one.
  void add(SourceRow row);
  // Throws Error(Data) "file:line: reason", or lists the row when bad rows are skipped.
  void add_bad(int64_t line, std::string reason) { add_bad(SourceRow{.line = line}, std::move(reason)); }
  void add_bad(const SourceRow& row, std::string reason);
  void add_note(std::string note) { rows_.notes.push_back(std::move(note)); }
  SourceRows finish();

 private:
  SourceRows rows_;
  std::string image_column_;
  bool needs_labels_, skips_bad_rows_;
  int64_t next_source_row_ = 0;
};

// Where a row is: "file:line", the picture's file, or "file at byte 3073" for raw pixels.
std::string place_of(const std::string& file, const SourceRow& row);

// Drops rows whose picture `check_image` refuses: listed in `skipped`, or the first is Error(Data) "place: reason".
void check_images(SourceRows& file, const DataOptions& options);

// Columns of the content: the picture's or the text's.
const std::string& content_column(const ReadOptions& options);

// The one-byte delimiter that `name` means: itself, "tab" or "\t". Throws Error(Usage) for others.
char delimiter_byte(const std::string& name);

// "no column "txt"; columns are text, label; did you mean "text"?"
std::string missing_column(const std::string& name, const std::vector<std::string>& columns);

// Bytes without a leading UTF-8 byte order mark. Throws Error(Data) for UTF-16, naming the file.
std::string_view without_byte_order_mark(std::string_view bytes, std::string_view file);

}  // namespace normscope
