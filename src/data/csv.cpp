// The formats csv and tsv: named columns of RFC 4180 records.
#include <algorithm>

#include "core/error.h"
#include "data/csv_reader.h"
#include "data/formats.h"

namespace normscope {
namespace {

constexpr size_t kAbsent = static_cast<size_t>(-1);

std::vector<std::string> header_fields(std::string_view bytes, char delimiter, const std::string& file) {
  CsvReader reader(bytes, delimiter, file);
  CsvRecord header;
  require(reader.next(header), ErrorKind::Data, file, ":1: expected a header line, found an empty file");
  require(header.problem.empty(), ErrorKind::Data, file, ":", header.line, ": header: ", header.problem);
  return header.fields;
}

bool has_name(const std::vector<std::string>& fields, const std::string& name) {
  return std::ranges::find(fields, name) != fields.end();
}

// The delimiter under which the header has the wanted columns, else the one that gives most columns.
char sniff_delimiter(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  char best = ',';
  size_t best_score = 0;
  for (const char candidate : {',', '\t', ';', '|'}) {
    size_t score = 0;
    try {
      const auto fields = header_fields(bytes, candidate, file);
      constexpr size_t kNamed = size_t{1} << 32;  // outweighs any number of columns
      score = fields.size() +
              kNamed * (2 * has_name(fields, content_column(options)) + has_name(fields, options.label_column));
    } catch (const Error&) {
      continue;  // the quoting makes no sense under this delimiter
    }
    if (score > best_score) {
      best_score = score;
      best = candidate;
    }
  }
  return best;
}

size_t column(const std::vector<std::string>& header, const std::string& name, bool is_needed,
              const std::string& where) {
  const auto at = std::ranges::find(header, name);
  if (at == header.end()) {
    require(!is_needed, ErrorKind::Data, where, missing_column(name, header));
    return kAbsent;
  }
  require(std::ranges::count(header, name) == 1, ErrorKind::Data, where, "column \"", name,
          "\" appears more than once");
  return static_cast<size_t>(at - header.begin());
}

SourceRows read_records(std::string_view bytes, char delimiter, const std::string& file, const ReadOptions& options) {
  CsvReader reader(bytes, delimiter, file);
  CsvRecord record;
  const auto header = header_fields(bytes, delimiter, file);
  reader.next(record);
  const std::string where = file + ":" + std::to_string(record.line) + ": ";
  const size_t text = column(header, content_column(options), true, where);
  const size_t label = column(header, options.label_column, options.needs_labels, where);
  const size_t true_label = options.true_label_column.empty()
                                ? kAbsent
                                : column(header, options.true_label_column, options.needs_true_labels, where);

  RowCollector rows(file, options);
  rows.set_columns(label != kAbsent, true_label != kAbsent);
  while (reader.next(record)) {
    auto& fields = record.fields;
    if (record.problem.empty() && fields.size() != header.size())
      record.problem = "expected " + std::to_string(header.size()) + " fields as in the header, found " +
                       std::to_string(fields.size());
    if (!record.problem.empty()) {
      rows.add_bad(record.line, record.problem);
      continue;
    }
    SourceRow row{.line = record.line};
    if (label != kAbsent) row.label = fields[label];
    if (true_label != kAbsent) row.true_label = fields[true_label];
    row.text = std::move(fields[text]);
    rows.add(std::move(row));
  }
  return rows.finish();
}

}  // namespace

SourceRows read_csv(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  const char delimiter =
      options.delimiter == "auto" ? sniff_delimiter(bytes, file, options) : delimiter_byte(options.delimiter);
  return read_records(bytes, delimiter, file, options);
}

SourceRows read_tsv(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  return read_records(bytes, options.delimiter == "auto" ? '\t' : delimiter_byte(options.delimiter), file, options);
}

}  // namespace normscope
