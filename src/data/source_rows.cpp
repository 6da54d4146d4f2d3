// What the text formats share: collecting rows, bad rows, delimiters and column names.
#include "data/source_rows.h"

#include "core/error.h"
#include "core/text.h"

namespace normscope {

RowCollector::RowCollector(std::string_view file, const ReadOptions& options)
    : needs_labels_(options.needs_labels), skips_bad_rows_(options.skips_bad_rows) {
  rows_.file = file;
}

void RowCollector::set_columns(bool has_labels, bool has_true_labels) {
  rows_.has_labels = has_labels;
  rows_.has_true_labels = has_true_labels;
}

void RowCollector::add(SourceRow row) {
  if (needs_labels_ && rows_.has_labels && row.label.empty()) return add_bad(row.line, "the label is empty");
  if (rows_.has_true_labels && row.true_label.empty()) return add_bad(row.line, "the true label is empty");
  row.source_row = next_source_row_++;
  rows_.rows.push_back(std::move(row));
}

void RowCollector::add_bad(int64_t line, std::string reason) {
  require(skips_bad_rows_, ErrorKind::Data, rows_.file, ":", line, ": ", reason);
  rows_.skipped.push_back({rows_.file, line, next_source_row_++, std::move(reason)});
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
