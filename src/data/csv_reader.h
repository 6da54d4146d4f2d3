// RFC 4180 records one by one, over libcsv, with the line on which each starts.
#pragma once
#include <csv.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

struct CsvRecord {
  std::vector<std::string> fields;
  int64_t line = 0;     // 1-based, where the record starts
  std::string problem;  // empty, or why the record cannot be used; the reader goes on after it
};

// Departures from RFC 4180: any one-byte delimiter, any line end, blank lines passed over, and a quote inside
// an unquoted field is a character. Nothing is trimmed; no field means "missing".
class CsvReader {
 public:
  // `bytes` must outlive the reader. `file` is used in messages only.
  CsvReader(std::string_view bytes, char delimiter, std::string file);
  ~CsvReader();
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  // Next record; false at the end. Throws Error(Data) when broken quoting spans lines, because where the
  // next record starts is then a guess.
  bool next(CsvRecord& record);

 private:
  std::string_view take_line();
  bool feed(std::string_view line);
  void restart();

  std::string_view rest_;
  std::string file_;
  csv_parser parser_{};
  char delimiter_;
  int64_t line_ = 0;  // last one taken
  std::vector<std::string> fields_;
  bool is_record_complete_ = false;
};

// A field as RFC 4180 writes it: quoted only where it must be.
std::string csv_field(std::string_view value);

}  // namespace normscope
