// The format txt: one row a line, "text<delimiter>label", split at the last delimiter; no quoting.
#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/text.h"
#include "data/formats.h"

namespace normscope {
namespace {

struct Line {
  std::string_view text;
  int64_t number = 0;
};

std::vector<Line> lines_of(std::string_view bytes) {
  std::vector<Line> lines;
  for (int64_t number = 1; !bytes.empty(); ++number) {
    auto line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.push_back({line, number});
  }
  return lines;
}

struct Parts {
  std::string_view text, label;
  bool is_split = false;
};

Parts split_line(std::string_view line, std::string_view delimiter) {
  const size_t at = line.rfind(delimiter);
  if (at == std::string_view::npos) return {line, {}, false};
  return {line.substr(0, at), line.substr(at + delimiter.size()), true};
}

bool is_header(const Parts& parts, const ReadOptions& options) {
  if (!parts.is_split || parts.text != options.text_column) return false;
  return parts.label.empty() || parts.label == options.label_column || parts.label == "label" ||
         parts.label == "label_name";
}

// The delimiter of a header line; else the one that every line has and whose labels repeat; else "".
std::string sniff_delimiter(const std::vector<Line>& lines, const ReadOptions& options) {
  const std::string candidates[] = {"\t", ";", "|", ","};
  for (const auto& candidate : candidates)
    if (!lines.empty() && is_header(split_line(lines[0].text, candidate), options)) return candidate;
  constexpr size_t kLinesLookedAt = 1000;
  const size_t count = std::min(lines.size(), kLinesLookedAt);
  for (const auto& candidate : candidates) {
    std::set<std::string_view> labels;
    size_t num_split = 0;
    for (size_t i = 0; i < count; ++i) {
      const auto parts = split_line(lines[i].text, candidate);
      num_split += parts.is_split && !parts.label.empty();
      labels.insert(parts.label);
    }
    if (count > 0 && num_split == count && (labels.size() * 2 <= count || options.needs_labels)) return candidate;
  }
  return "";
}

}  // namespace

SourceRows read_txt(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  require(options.true_label_column.empty() || !options.needs_true_labels, ErrorKind::Usage, file,
          ": a txt file has a text and one label; true_label_column \"", options.true_label_column,
          "\" needs csv, tsv or jsonl");
  require(options.image_column.empty(), ErrorKind::Usage, file, ": a txt file holds texts; image_column \"",
          options.image_column, "\" needs csv, tsv or jsonl");
  const auto lines = lines_of(bytes);
  std::string delimiter = options.delimiter;
  if (delimiter == "auto") delimiter = sniff_delimiter(lines, options);
  if (delimiter == "tab" || delimiter == "\\t") delimiter = "\t";
  require(!delimiter.empty() || !options.needs_labels, ErrorKind::Data, file,
          ":1: no delimiter stands in every line; set delimiter to what separates text and label");

  RowCollector rows(file, options);
  const bool has_labels = !delimiter.empty();
  rows.set_columns(has_labels, false);
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto& line = lines[i];
    const auto parts = has_labels ? split_line(line.text, delimiter) : Parts{line.text, {}, true};
    if (i == 0 && is_header(parts, options)) continue;
    const size_t invalid = find_invalid_utf8(line.text);
    if (invalid != std::string_view::npos) {
      rows.add_bad(line.number, "not UTF-8 at byte " + std::to_string(invalid + 1));
    } else if (!parts.is_split) {
      rows.add_bad(line.number, "no delimiter \"" + delimiter + "\" between text and label");
    } else {
      rows.add({.text = std::string(parts.text), .label = std::string(parts.label), .line = line.number});
    }
  }
  return rows.finish();
}

}  // namespace normscope
