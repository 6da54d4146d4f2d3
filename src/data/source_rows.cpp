// What the formats share: collecting rows, bad rows, bad pictures, delimiters and column names.
#include "data/source_rows.h"

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/parallel.h"
#include "core/text.h"

namespace normscope {
namespace {

SkippedRow skipped_row(const std::string& file, const SourceRow& row, int64_t source_row, std::string reason) {
  const bool is_line = row.line > 0 || row.image.file.empty();
  return {is_line ? file : place_of(file, row), row.line, source_row, std::move(reason)};
}

}  // namespace

RowCollector::RowCollector(std::string_view file, const ReadOptions& options)
    : image_column_(options.image_column),
      needs_labels_(options.needs_labels),
      skips_bad_rows_(options.skips_bad_rows) {
  rows_.file = file;
  rows_.has_images = !image_column_.empty();
}

void RowCollector::set_columns(bool has_labels, bool has_true_labels) {
  rows_.has_labels = has_labels;
  rows_.has_true_labels = has_true_labels;
}

void RowCollector::add(SourceRow row) {
  if (!image_column_.empty()) {
    if (row.text.empty()) return add_bad(row, "the picture's path is empty");
    row.image.file = (std::filesystem::path(rows_.file).parent_path() / row.text).string();
    row.text.clear();
    std::error_code problem;
    if (!std::filesystem::is_regular_file(row.image.file, problem))
      return add_bad(row, "no picture file " + row.image.file);
  }
  rows_.has_images |= !row.image.file.empty();
  if (needs_labels_ && rows_.has_labels && row.label.empty()) return add_bad(row, "the label is empty");
  if (rows_.has_true_labels && row.true_label.empty()) return add_bad(row, "the true label is empty");
  row.source_row = next_source_row_++;
  rows_.rows.push_back(std::move(row));
}

void RowCollector::add_bad(const SourceRow& row, std::string reason) {
  require(skips_bad_rows_, ErrorKind::Data, place_of(rows_.file, row), ": ", reason);
  rows_.skipped.push_back(skipped_row(rows_.file, row, next_source_row_++, std::move(reason)));
}

SourceRows RowCollector::finish() { return std::move(rows_); }

std::string place_of(const std::string& file, const SourceRow& row) {
  if (row.line > 0) return file + ":" + std::to_string(row.line);
  return row.image.file.empty() ? file : place_of(row.image);
}

void check_images(SourceRows& file, const DataOptions& options) {
  if (!options.check_image || !file.has_images) return;
  auto& rows = file.rows;
  std::vector<std::string> reasons(rows.size());
  parallel_ranges(rows.size(), usable_cores(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      reasons[i] = options.check_image(rows[i].image);
      // A row of a file is told by its line, so the picture needs a name of its own.
      if (!reasons[i].empty() && rows[i].line > 0) reasons[i] = rows[i].image.file + ": " + reasons[i];
    }
  });
  std::vector<SourceRow> good;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (reasons[i].empty()) {
      good.push_back(std::move(rows[i]));
      continue;
    }
    require(options.on_bad_row == "skip", ErrorKind::Data, place_of(file.file, rows[i]), ": ", reasons[i]);
    file.skipped.push_back(skipped_row(file.file, rows[i], rows[i].source_row, std::move(reasons[i])));
  }
  rows = std::move(good);
  std::ranges::stable_sort(file.skipped, {}, &SkippedRow::source_row);
}

const std::string& content_column(const ReadOptions& options) {
  return options.image_column.empty() ? options.text_column : options.image_column;
}

char delimiter_byte(const std::string& name) {
  if (name == "tab" || name == "\\t") return '\t';
  const bool is_usable = name.size() == 1 && name != "\"" && name != "\n" && name != "\r" && name[0] != '\0' &&
                         static_cast<unsigned char>(name[0]) < 0x80;
  require(is_usable, ErrorKind::Usage, "delimiter \"", name,
          "\": expected one ASCII character that is no quote and no line break, or \"tab\"");
  return name[0];
}

std::string missing_column(const std::string& name, const std::vector<std::string>& columns) {
  std::string message = "no column \"" + name + "\"; columns are " + join(columns, ", ");
  const auto nearest = nearest_name(name, columns);
  if (!nearest.empty()) message += "; did you mean \"" + nearest + "\"?";
  return message;
}

std::string_view without_byte_order_mark(std::string_view bytes, std::string_view file) {
  require(!bytes.starts_with("\xff\xfe") && !bytes.starts_with("\xfe\xff"), ErrorKind::Data, file,
          ":1: text is UTF-16; expected UTF-8");
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  return bytes;
}

}  // namespace normscope
