// libcsv fed one physical line at a time, so that every record knows where it starts.
#include "data/csv_reader.h"

#include <new>

#include "core/error.h"
#include "core/text.h"

namespace normscope {
namespace {

constexpr unsigned char kStrict = CSV_STRICT | CSV_STRICT_FINI;

int no_space(unsigned char) { return 0; }

struct Sink {
  std::vector<std::string>& fields;
  bool& is_complete;
};

void take_field(void* bytes, size_t size, void* sink) {
  static_cast<Sink*>(sink)->fields.emplace_back(static_cast<const char*>(bytes), size);
}

void take_record(int, void* sink) { static_cast<Sink*>(sink)->is_complete = true; }

}  // namespace

CsvReader::CsvReader(std::string_view bytes, char delimiter, std::string file)
    : rest_(bytes), file_(std::move(file)), delimiter_(delimiter) {
  csv_init(&parser_, kStrict);
  restart();
}

CsvReader::~CsvReader() { csv_free(&parser_); }

void CsvReader::restart() {
  csv_free(&parser_);
  csv_init(&parser_, kStrict);
  csv_set_delim(&parser_, static_cast<unsigned char>(delimiter_));
  csv_set_space_func(&parser_, no_space);
  csv_set_blk_size(&parser_, 4096);
  fields_.clear();
  is_record_complete_ = false;
}

// The next physical line with its end: LF, CR LF or CR.
std::string_view CsvReader::take_line() {
  size_t end = rest_.find_first_of("\r\n");
  if (end == std::string_view::npos) {
    end = rest_.size();
  } else {
    end += rest_.substr(end).starts_with("\r\n") ? 2 : 1;
  }
  const auto line = rest_.substr(0, end);
  rest_.remove_prefix(end);
  ++line_;
  return line;
}

// False when text follows a closing quote.
bool CsvReader::feed(std::string_view line) {
  Sink sink{fields_, is_record_complete_};
  while (!line.empty()) {
    const size_t taken = csv_parse(&parser_, line.data(), line.size(), take_field, take_record, &sink);
    line.remove_prefix(taken);
    if (csv_error(&parser_) == CSV_ENOMEM) throw std::bad_alloc();
    if (line.empty()) break;
    if (parser_.quoted) return false;
    // Strict mode stopped at a quote inside an unquoted field; it is taken as a character.
    csv_set_opts(&parser_, 0);
    csv_parse(&parser_, line.data(), 1, take_field, take_record, &sink);
    csv_set_opts(&parser_, kStrict);
    line.remove_prefix(1);
  }
  return true;
}

bool CsvReader::next(CsvRecord& record) {
  record = {};
  fields_.clear();
  is_record_complete_ = false;
  bool is_inside = false;
  while (!rest_.empty()) {
    const auto line = take_line();
    if (!is_inside) record.line = line_;
    if (!feed(line)) {
      require(record.line == line_, ErrorKind::Data, file_, ":", line_,
              ": text after a closing quote, in the row that starts at line ", record.line,
              "; a quote in a quoted field is written twice");
      record.problem = "text after a closing quote; a quote in a quoted field is written twice";
      restart();
      return true;
    }
    if (is_record_complete_) break;
    is_inside = line.find_first_not_of("\r\n") != std::string_view::npos || is_inside;
  }
  if (!is_record_complete_) {
    if (!is_inside) return false;
    Sink sink{fields_, is_record_complete_};
    require(csv_fini(&parser_, take_field, take_record, &sink) == 0, ErrorKind::Data, file_, ":", record.line,
            ": a quote that is opened in this row is never closed");
  }
  record.fields = std::move(fields_);
  for (size_t i = 0; i < record.fields.size() && record.problem.empty(); ++i) {
    const size_t at = find_invalid_utf8(record.fields[i]);
    if (at != std::string::npos)
      record.problem = "field " + std::to_string(i + 1) + " is not UTF-8 at byte " + std::to_string(at + 1);
  }
  return true;
}

std::string csv_field(std::string_view value) {
  const bool is_plain =
      value.find_first_of(",\"\r\n") == std::string_view::npos && !value.starts_with(' ') && !value.ends_with(' ');
  if (is_plain) return std::string(value);
  std::string quoted(csv_write(nullptr, 0, value.data(), value.size()), '\0');
  csv_write(quoted.data(), quoted.size(), value.data(), value.size());
  return quoted;
}

}  // namespace normscope
