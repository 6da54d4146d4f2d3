// Reads the header, settles which columns are classes, and checks every row's numbers.
#include "data/prediction_file.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/error.h"
#include "core/number.h"
#include "core/text.h"
#include "data/class_order.h"
#include "data/csv_reader.h"
#include "data/source_rows.h"

namespace normscope {
namespace {

constexpr double kSumTolerance = 0.01;  // of a row: what rounding to two or three decimals loses

const std::vector<std::string> kOtherColumns = {"row",        "source_row",      "label", "given_label",
                                                "true_label", "predicted_label", "text",  "split"};

std::optional<double> finite_number(const std::string& field) {
  const auto value = parse_number<double>(field);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

class PredictionParser {
 public:
  PredictionParser(const PredictionColumns& columns, bool has_labels_file)
      : asked_(columns), has_labels_file_(has_labels_file) {}

  void take_header(const std::vector<std::string>& fields) {
    for (const auto& field : fields) ++count_[field];
    for (const auto& [field, count] : count_)
      require(count == 1, ErrorKind::Data, "column \"", field, "\" appears more than once");
    header_ = fields;
    label_ = label_column();
    true_label_ = find("true_label");
    row_ = find("row");
    choose_classes();
  }

  void take_row(const CsvRecord& record) {
    const auto& fields = record.fields;
    require(record.problem.empty(), ErrorKind::Data, record.problem);
    require(fields.size() == header_.size(), ErrorKind::Data, "expected ", header_.size(),
            " fields as in the header, found ", fields.size());
    if (label_) file_.labels.push_back(label(fields[*label_], header_[*label_]));
    if (true_label_) file_.true_labels.push_back(label(fields[*true_label_], "true_label"));
    file_.rows.push_back(row_ ? row_number(fields[*row_]) : static_cast<int64_t>(file_.rows.size()));
    double sum = 0;
    for (const size_t column : class_columns_) {
      const auto value = finite_number(fields[column]);
      require(value.has_value(), ErrorKind::Data, header_[column], " is \"", fields[column], "\"; expected a number");
      require(file_.are_logits || (*value >= 0 && *value <= 1), ErrorKind::Data, header_[column], " is ",
              fields[column], "; expected a probability from 0 to 1", kLogitsHint);
      file_.values.push_back(*value);
      sum += *value;
    }
    require(file_.are_logits || std::abs(sum - 1) <= kSumTolerance, ErrorKind::Data, "the probabilities sum to ", sum,
            "; expected 1", kLogitsHint);
  }

  int label(const std::string& name, const std::string& column) const {
    const int index = find_class(file_.classes, name);
    if (index < 0) throw Error(ErrorKind::Data, column + ": " + unknown_class(file_.classes, name));
    return index;
  }

  PredictionFile& file() { return file_; }

 private:
  static constexpr const char* kLogitsHint = " (logits go in columns logit_<class>)";

  std::optional<size_t> find(const std::string& name) const {
    const auto at = std::ranges::find(header_, name);
    return at == header_.end() ? std::nullopt : std::optional(static_cast<size_t>(at - header_.begin()));
  }

  std::optional<size_t> label_column() const {
    if (has_labels_file_) return std::nullopt;
    if (!asked_.label.empty()) {
      if (!find(asked_.label)) throw Error(ErrorKind::Data, missing_column(asked_.label, header_));
      return find(asked_.label);
    }
    for (const auto* name : {"given_label", "label"})
      if (const auto at = find(name)) return at;
    throw Error(ErrorKind::Data, missing_column("label", header_) + "; --labels FILE names a file of the labels");
  }

  std::vector<size_t> columns_with(const std::string& prefix) const {
    std::vector<size_t> columns;
    for (size_t i = 0; i < header_.size(); ++i)
      if (header_[i].starts_with(prefix) && header_[i].size() > prefix.size()) columns.push_back(i);
    return columns;
  }

  void choose_classes() {
    for (const std::string prefix : {"logit_", "prob_"}) {
      class_columns_ = columns_with(prefix);
      if (class_columns_.empty()) continue;
      file_.are_logits = prefix == "logit_";
      for (const size_t i : class_columns_) file_.classes.push_back(header_[i].substr(prefix.size()));
      break;
    }
    if (class_columns_.empty()) {
      for (size_t i = 0; i < header_.size(); ++i) {
        if (std::ranges::find(kOtherColumns, header_[i]) != kOtherColumns.end() || i == label_) continue;
        class_columns_.push_back(i);
        file_.classes.push_back(header_[i]);
      }
    }
    require(class_columns_.size() >= 2, ErrorKind::Data,
            "expected a column of probabilities for each of two or more classes; columns are ", join(header_, ", "));
    if (!asked_.classes.empty()) order_as_asked();
  }

  void order_as_asked() {
    std::vector<size_t> columns;
    for (const auto& name : asked_.classes) {
      const auto at = std::ranges::find(file_.classes, name);
      require(at != file_.classes.end(), ErrorKind::Usage, "--labels: no column of probabilities for \"", name,
              "\"; they are ", join(file_.classes, ", "));
      columns.push_back(class_columns_[static_cast<size_t>(at - file_.classes.begin())]);
    }
    require(columns.size() == class_columns_.size(), ErrorKind::Usage, "--labels: expected the ", class_columns_.size(),
            " classes ", join(file_.classes, ", "), ", found ", columns.size());
    class_columns_ = columns;
    file_.classes = asked_.classes;
  }

  static int64_t row_number(const std::string& field) {
    const auto value = parse_number<int64_t>(field);
    require(value && *value >= 0, ErrorKind::Data, "row is \"", field, "\"; expected an integer of at least 0");
    return *value;
  }

  const PredictionColumns& asked_;
  bool has_labels_file_;
  std::map<std::string, int> count_;
  std::vector<std::string> header_;
  std::optional<size_t> label_, true_label_, row_;
  std::vector<size_t> class_columns_;
  PredictionFile file_;
};

template <typename Take>
void at_line(const std::string& file, const CsvRecord& record, const Take& take) {
  try {
    take();
  } catch (const Error& error) {
    throw Error(error.kind(), file + ":" + std::to_string(record.line) + ": " + error.what());
  }
}

// One label a line under any one name, or the column label of several.
void take_labels(std::string_view bytes, const std::string& file, PredictionParser& parser) {
  CsvReader reader(without_byte_order_mark(bytes, file), ',', file);
  CsvRecord record;
  require(reader.next(record), ErrorKind::Data, file, ":1: expected labels, found an empty file");
  auto& predictions = parser.file();
  size_t column = 0;
  at_line(file, record, [&] {
    const auto at = std::ranges::find(record.fields, "label");
    column = static_cast<size_t>(at - record.fields.begin());
    if (at != record.fields.end()) return;
    require(record.fields.size() == 1, ErrorKind::Data, missing_column("label", record.fields));
    column = 0;
    if (find_class(predictions.classes, record.fields[0]) >= 0)  // no header
      predictions.labels.push_back(parser.label(record.fields[0], "label"));
  });
  while (reader.next(record))
    at_line(file, record, [&] {
      require(record.problem.empty(), ErrorKind::Data, record.problem);
      require(column < record.fields.size(), ErrorKind::Data, "expected a label in field ", column + 1);
      predictions.labels.push_back(parser.label(record.fields[column], "label"));
    });
}

}  // namespace

PredictionFile parse_predictions(std::string_view bytes, const std::string& file, const PredictionColumns& columns,
                                 std::string_view labels, const std::string& labels_file) {
  CsvReader reader(without_byte_order_mark(bytes, file), ',', file);
  CsvRecord record;
  require(reader.next(record), ErrorKind::Data, file, ":1: expected a header line, found an empty file");
  PredictionParser parser(columns, !labels_file.empty());
  at_line(file, record, [&] {
    require(record.problem.empty(), ErrorKind::Data, record.problem);
    parser.take_header(record.fields);
  });
  while (reader.next(record)) at_line(file, record, [&] { parser.take_row(record); });
  auto& predictions = parser.file();
  require(!predictions.rows.empty(), ErrorKind::Data, file, ": expected rows of probabilities, found none");
  if (!labels_file.empty()) take_labels(labels, labels_file, parser);
  require(predictions.labels.size() == predictions.rows.size(), ErrorKind::Data, labels_file, ": expected ",
          predictions.rows.size(), " labels, one for each row of ", file, ", found ", predictions.labels.size());
  return std::move(predictions);
}

}  // namespace normscope
