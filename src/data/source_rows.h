// Rows of a text file as written, before labels become class numbers; what every text format fills.
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
  std::string label = {}, true_label = {};  // empty when the file has no such column
  int64_t source_row = 0;
  int64_t line = 0;  // 1-based
};

struct SourceRows {
  std::string file;
  std::vector<SourceRow> rows;
  bool has_labels = false, has_true_labels = false;
  std::vector<SkippedRow> skipped;
};

struct ReadOptions {
  std::string text_column = "text", label_column = "label", true_label_column = {};
  std::string delimiter = "auto";
  bool needs_labels = true;
  bool needs_true_labels = false;  // else a missing true_label_column is passed over (a clean test file)
  bool skips_bad_rows = false;
};

// Collects the rows of one file and decides what a bad row does.
class RowCollector {
 public:
  RowCollector(std::string_view file, const ReadOptions& options);

  void set_columns(bool has_labels, bool has_true_labels);
  // Takes a row; where labels are needed an empty one makes it bad.
  void add(SourceRow row);
  // Throws Error(Data) "file:line: reason", or lists the row when bad rows are skipped.
  void add_bad(int64_t line, std::string reason);
  SourceRows finish() { return std::move(rows_); }

 private:
  SourceRows rows_;
  bool needs_labels_, skips_bad_rows_;
  int64_t next_source_row_ = 0;
};

// The one-byte delimiter that `name` means: itself, "tab" or "\t". Throws Error(Usage) for others.
char delimiter_byte(const std::string& name);

// "no column "txt"; columns are text, label; did you mean "text"?"
std::string missing_column(const std::string& name, const std::vector<std::string>& columns);

// Bytes without a leading UTF-8 byte order mark. Throws Error(Data) for UTF-16, naming the file.
std::string_view without_byte_order_mark(std::string_view bytes, std::string_view file);

}  // namespace normscope
