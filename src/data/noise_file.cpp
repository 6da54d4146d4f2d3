// Writing and reading noise.csv, and noise that the data itself carries.
#include "data/noise_file.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"
#include "core/file.h"
#include "core/number.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/class_order.h"
#include "data/csv_reader.h"
#include "data/image_bytes.h"
#include "data/source_rows.h"

namespace normscope {
namespace {

const std::vector<std::string> kColumns = {"row", "source_row", "given_label", "true_label"};

std::string quoted(const std::string& value) { return "\"" + value + "\""; }

class NoiseParser {
 public:
  NoiseParser(const Dataset& train, std::span<const std::string> classes, NoiseRowKey key)
      : train_(train), classes_(classes), key_(key) {
    for (size_t i = 0; key == NoiseRowKey::SourceRow && i < train.source_rows.size(); ++i)
      row_of_source_.emplace(train.source_rows[i], static_cast<int64_t>(i));
  }

  // Positions of kColumns in the header. Further columns are passed over.
  void take_header(const CsvRecord& header) {
    num_fields_ = header.fields.size();
    for (const auto& name : kColumns) {
      const auto at = std::ranges::find(header.fields, name);
      if (at == header.fields.end()) throw Error(ErrorKind::Data, missing_column(name, header.fields));
      columns_.push_back(static_cast<size_t>(at - header.fields.begin()));
    }
  }

  NoisyRow take_row(const CsvRecord& record) {
    require(record.problem.empty(), ErrorKind::Data, record.problem);
    require(record.fields.size() == num_fields_, ErrorKind::Data, "expected ", num_fields_,
            " fields as in the header, found ", record.fields.size());
    const auto num_rows = static_cast<int64_t>(train_.size());
    NoisyRow row{.row = number(record, 0), .source_row = number(record, 1)};
    if (key_ == NoiseRowKey::SourceRow) {
      const auto found = row_of_source_.find(row.source_row);
      require(found != row_of_source_.end(), ErrorKind::Data, "source_row ", row.source_row,
              " is not in the training file");
      row.row = found->second;
    }
    require(row.row >= 0 && row.row < num_rows, ErrorKind::Data, "row ", row.row,
            " is not in the training set, which has rows 0 to ", num_rows - 1);
    require(seen_.insert(row.row).second, ErrorKind::Data, "row ", row.row, " is listed twice");
    const auto i = static_cast<size_t>(row.row);
    require(row.source_row == train_.source_rows[i], ErrorKind::Data, "row ", row.row, " has source_row ",
            row.source_row, "; in the data it is ", train_.source_rows[i]);
    row.given_label = label(record, 2);
    row.true_label = label(record, 3);
    require(row.true_label == train_.labels[i], ErrorKind::Data, "row ", row.row, " has true_label ",
            quoted(record.fields[columns_[3]]), "; in the data it is ",
            quoted(classes_[static_cast<size_t>(train_.labels[i])]));
    require(row.given_label != row.true_label, ErrorKind::Data, "row ", row.row, " has its true label as given_label");
    return row;
  }

 private:
  int64_t number(const CsvRecord& record, size_t column) const {
    const auto& field = record.fields[columns_[column]];
    const auto value = parse_number<int64_t>(field);
    require(value.has_value(), ErrorKind::Data, kColumns[column], " is ", quoted(field), "; expected an integer");
    return *value;
  }

  int label(const CsvRecord& record, size_t column) const {
    const auto& field = record.fields[columns_[column]];
    const int index = find_class(classes_, field);
    if (index < 0) throw Error(ErrorKind::Data, kColumns[column] + ": " + unknown_class(classes_, field));
    return index;
  }

  const Dataset& train_;
  std::span<const std::string> classes_;
  NoiseRowKey key_;
  std::unordered_map<int64_t, int64_t> row_of_source_;
  std::vector<size_t> columns_;
  size_t num_fields_ = 0;
  std::unordered_set<int64_t> seen_;
};

}  // namespace

std::string format_noise(std::span<const NoisyRow> rows, std::span<const std::string> classes) {
  std::string text = join(kColumns, ",") + "\n";
  for (const auto& row : rows) {
    text += std::to_string(row.row) + "," + std::to_string(row.source_row) + "," +
            csv_field(classes[static_cast<size_t>(row.given_label)]) + "," +
            csv_field(classes[static_cast<size_t>(row.true_label)]) + "\n";
  }
  return text;
}

std::vector<NoisyRow> parse_noise(std::string_view bytes, const std::string& file, const Dataset& train,
                                  std::span<const std::string> classes, NoiseRowKey key) {
  CsvReader reader(without_byte_order_mark(bytes, file), ',', file);
  CsvRecord record;
  require(reader.next(record), ErrorKind::Data, file, ":1: expected the columns ", join(kColumns, ", "),
          ", found an empty file");
  NoiseParser parser(train, classes, key);
  std::vector<NoisyRow> rows;
  const auto at_line = [&](const auto& take) {
    try {
      take();
    } catch (const Error& error) {
      throw Error(error.kind(), file + ":" + std::to_string(record.line) + ": " + error.what());
    }
  };
  at_line([&] { parser.take_header(record); });
  while (reader.next(record)) at_line([&] { rows.push_back(parser.take_row(record)); });
  return rows;
}

std::string training_set_hash(const Dataset& train, std::span<const std::string> classes) {
  std::vector<uint64_t> contents(train.size());
  ImageBytes bytes;
  for (const auto& image : train.images) bytes.open(image);
  parallel_ranges(train.size(), usable_cores(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      contents[i] = content_hash(train.has_images() ? bytes.read(train.images[i]) : train.texts[i]);
  });
  uint64_t hash = content_hash("");
  for (size_t i = 0; i < train.size(); ++i)
    hash = content_hash(hexadecimal(contents[i]) + std::to_string(train.source_rows[i]) + " " +
                            classes[static_cast<size_t>(train.labels[i])] + "\n",
                        hash);
  return hexadecimal(hash);
}

std::string hash_path(const std::string& noise_file) { return noise_file + ".hash"; }

std::vector<NoisyRow> parse_noise_column(std::string_view bytes, const std::string& file, const std::string& column,
                                         const std::string& true_column, const Dataset& train,
                                         std::span<const std::string> classes) {
  CsvReader reader(without_byte_order_mark(bytes, file), ',', file);
  CsvRecord record;
  const auto at_line = [&] { return file + ":" + std::to_string(record.line) + ": "; };
  require(reader.next(record), ErrorKind::Data, file, ":1: expected a header line, found an empty file");
  const auto header = record.fields;
  const auto find = [&](const std::string& name) {
    const auto at = std::ranges::find(header, name);
    if (at == header.end()) throw Error(ErrorKind::Data, at_line() + missing_column(name, header));
    return static_cast<size_t>(at - header.begin());
  };
  const size_t given_at = find(column), true_at = true_column.empty() ? given_at : find(true_column);
  struct Line {
    int given, truth;
    int64_t line;
  };
  std::vector<Line> lines;
  while (reader.next(record)) {
    require(record.problem.empty(), ErrorKind::Data, at_line(), record.problem);
    require(record.fields.size() == header.size(), ErrorKind::Data, at_line(), "expected ", header.size(),
            " fields as in the header, found ", record.fields.size());
    const auto label = [&](size_t at) {
      const int index = find_class(classes, record.fields[at]);
      if (index < 0)
        throw Error(ErrorKind::Data, at_line() + header[at] + ": " + unknown_class(classes, record.fields[at]));
      return index;
    };
    lines.push_back({label(given_at), label(true_at), record.line});
  }
  std::vector<NoisyRow> rows;
  for (size_t i = 0; i < train.size(); ++i) {
    const int64_t source_row = train.source_rows[i];
    require(source_row < static_cast<int64_t>(lines.size()), ErrorKind::Data, file, ": has ", lines.size(),
            " rows; the training file has row ", source_row);
    const auto& line = lines[static_cast<size_t>(source_row)];
    require(true_column.empty() || line.truth == train.labels[i], ErrorKind::Data, file, ":", line.line, ": ",
            true_column, " is ", quoted(classes[static_cast<size_t>(line.truth)]), "; in the data it is ",
            quoted(classes[static_cast<size_t>(train.labels[i])]));
    if (line.given != train.labels[i])
      rows.push_back({static_cast<int64_t>(i), source_row, line.given, train.labels[i]});
  }
  return rows;
}

LabelNoise read_noise(const NoiseOptions& options, const Dataset& train, std::span<const std::string> classes) {
  require(options.file.empty() || train.given_labels.empty(), ErrorKind::Usage, "noise.file (", options.file,
          ") and true_label_column are both given");
  LabelNoise noise;
  if (!options.file.empty()) {
    const MappedFile file(options.file, ErrorKind::Data);
    if (!options.column.empty()) {
      noise.rows = parse_noise_column(file.bytes(), options.file, options.column, options.true_column, train, classes);
      return noise;
    }
    if (const auto kept = hash_path(options.file); std::filesystem::exists(kept)) {
      const auto expected = read_file(kept, ErrorKind::Data).substr(0, 16), found = training_set_hash(train, classes);
      require(expected == found, ErrorKind::Data, options.file, ": was drawn for other data (hash ", expected,
              "; the training set's is ", found, ")");
    }
    noise.rows = parse_noise(file.bytes(), options.file, train, classes);
    return noise;
  }
  require(!train.given_labels.empty(), ErrorKind::Usage,
          "noise.kind file needs noise.file, or true_label_column when the data carries both labels");
  for (size_t i = 0; i < train.size(); ++i) {
    if (train.given_labels[i] != train.labels[i])
      noise.rows.push_back({static_cast<int64_t>(i), train.source_rows[i], train.given_labels[i], train.labels[i]});
  }
  return noise;
}

}  // namespace normscope
