// The format jsonl: one JSON object a line, text a string, labels strings or integers.
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text.h"
#include "data/formats.h"

namespace normscope {
namespace {

using nlohmann::json;

std::vector<std::string> keys(const json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

// The label as a string, or a problem. Integers are written in decimal.
std::string take_label(const json& object, const std::string& name, std::string& label) {
  const auto at = object.find(name);
  if (at == object.end()) return missing_column(name, keys(object));
  if (at->is_string()) {
    label = at->get<std::string>();
  } else if (at->is_number_integer()) {
    label = at->dump();
  } else {
    return "\"" + name + "\" is " + at->type_name() + "; expected a string or an integer";
  }
  return "";
}

class JsonlReader {
 public:
  JsonlReader(const std::string& file, const ReadOptions& options)
      : file_(file), options_(options), rows_(file, options) {}

  void take(std::string_view line, int64_t line_number) {
    SourceRow row{.line = line_number};
    const auto problem = read(line, row);
    if (problem.empty()) {
      rows_.add(std::move(row));
    } else {
      rows_.add_bad(line_number, problem);
    }
  }

  SourceRows finish() { return rows_.finish(); }

 private:
  // Why the line is not a row, or "".
  std::string read(std::string_view line, SourceRow& row) {
    const size_t invalid = find_invalid_utf8(line);
    if (invalid != std::string_view::npos) return "not UTF-8 at byte " + std::to_string(invalid + 1);
    const json object = json::parse(line, nullptr, false);
    if (object.is_discarded()) return "not a JSON value; expected one object a line";
    if (!object.is_object()) return std::string(object.type_name()) + "; expected one JSON object a line";
    if (!knows_columns_) learn_columns(object, row.line);
    const auto text = object.find(content_column(options_));
    if (text == object.end()) return missing_column(content_column(options_), keys(object));
    if (!text->is_string())
      return "\"" + content_column(options_) + "\" is " + text->type_name() + "; expected a string";
    row.text = text->get<std::string>();
    if (has_labels_) {
      const auto problem = take_label(object, options_.label_column, row.label);
      if (!problem.empty()) return problem;
    }
    return has_true_labels_ ? take_label(object, options_.true_label_column, row.true_label) : "";
  }

  // The first object names the columns; one that is needed and absent there is wrong for the whole file.
  void learn_columns(const json& object, int64_t line) {
    const auto has = [&](const std::string& name, bool is_needed) {
      require(object.contains(name) || !is_needed, ErrorKind::Data, file_, ":", line, ": ",
              missing_column(name, keys(object)));
      return object.contains(name);
    };
    has(content_column(options_), true);
    has_labels_ = has(options_.label_column, options_.needs_labels);
    has_true_labels_ =
        !options_.true_label_column.empty() && has(options_.true_label_column, options_.needs_true_labels);
    rows_.set_columns(has_labels_, has_true_labels_);
    knows_columns_ = true;
  }

  std::string file_;
  const ReadOptions& options_;
  RowCollector rows_;
  bool knows_columns_ = false, has_labels_ = false, has_true_labels_ = false;
};

}  // namespace

SourceRows read_jsonl(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  JsonlReader reader(file, options);
  for (int64_t line_number = 1; !bytes.empty(); ++line_number) {
    const auto line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) reader.take(line, line_number);
  }
  return reader.finish();
}

}  // namespace normscope
