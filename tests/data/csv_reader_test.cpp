// RFC 4180 records, their line numbers, and what is refused.
#include "data/csv_reader.h"

#include "data/data_test.h"

namespace normscope {
namespace {

using Fields = std::vector<std::string>;

struct Read {
  std::vector<Fields> records;
  std::vector<int64_t> lines;
  std::vector<std::string> problems;
};

Read read(std::string_view bytes, char delimiter = ',') {
  CsvReader reader(bytes, delimiter, "f.csv");
  CsvRecord record;
  Read all;
  while (reader.next(record)) {
    all.records.push_back(record.fields);
    all.lines.push_back(record.line);
    all.problems.push_back(record.problem);
  }
  return all;
}

TEST(CsvReader, KeepsBytesOfFieldsAsWritten) {
  EXPECT_EQ(read("a,b\n1,2\n").records, (std::vector<Fields>{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(read("a, b ,\t\n").records, (std::vector<Fields>{{"a", " b ", "\t"}}));
  EXPECT_EQ(read("null,NA,NaN,\n").records, (std::vector<Fields>{{"null", "NA", "NaN", ""}}));
  EXPECT_EQ(read("\"x, y\",\"he said \"\"no\"\"\"\n").records, (std::vector<Fields>{{"x, y", "he said \"no\""}}));
  EXPECT_EQ(read("\" padded \",\"\"\n").records, (std::vector<Fields>{{" padded ", ""}}));
  EXPECT_EQ(read("a\tb,c\n", '\t').records, (std::vector<Fields>{{"a", "b,c"}}));
  EXPECT_EQ(read(std::string("a\0b,c", 5)).records, (std::vector<Fields>{{std::string("a\0b", 3), "c"}}));
  EXPECT_EQ(read("caf\xc3\xa9,\xe2\x98\x83").records, (std::vector<Fields>{{"caf\xc3\xa9", "\xe2\x98\x83"}}));
}

TEST(CsvReader, TakesAnyLineEndAndPassesBlankLinesOver) {
  const std::vector<Fields> expected{{"a", "b"}, {"c", "d"}};
  for (const char* text : {"a,b\nc,d", "a,b\nc,d\n", "a,b\r\nc,d\r\n", "a,b\rc,d\r", "\n\na,b\n\r\n\nc,d\n\n\n"})
    EXPECT_EQ(read(text).records, expected) << text;
  EXPECT_TRUE(read("").records.empty());
  EXPECT_TRUE(read("\r\n\n\n").records.empty());
}

TEST(CsvReader, TellsTheLineWhereARecordStarts) {
  const auto all = read("h\n\n\"two\n\nlines\"\r\nlast\n\n\"x\ry\"\nend");
  EXPECT_EQ(all.records, (std::vector<Fields>{{"h"}, {"two\n\nlines"}, {"last"}, {"x\ry"}, {"end"}}));
  EXPECT_EQ(all.lines, (std::vector<int64_t>{1, 3, 6, 8, 10}));
}

TEST(CsvReader, KeepsLineBreaksOfQuotedFields) {
  EXPECT_EQ(read("\"a\r\nb\",c\r\n").records, (std::vector<Fields>{{"a\r\nb", "c"}}));
}

TEST(CsvReader, TakesAQuoteInsideAnUnquotedFieldAsACharacter) {
  EXPECT_EQ(read("5\" disk,a\"b\"c, \"x\"\nnext,1,2\n").records,
            (std::vector<Fields>{{"5\" disk", "a\"b\"c", " \"x\""}, {"next", "1", "2"}}));
}

TEST(CsvReader, GoesOnAfterALineWithTextBehindAClosingQuote) {
  const auto all = read("a,b\n\"x\"y,1\n\"fine\",2\n");
  EXPECT_EQ(all.lines, (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(all.problems[1], "text after a closing quote; a quote in a quoted field is written twice");
  EXPECT_EQ(all.problems[2], "");
  EXPECT_EQ(all.records[2], (Fields{"fine", "2"}));
}

TEST(CsvReader, RefusesBrokenQuotingThatSpansLines) {
  EXPECT_EQ(error_of([] { read("a,b\n\"x,1\nmore,2\n"); }, ErrorKind::Data),
            "f.csv:2: a quote that is opened in this row is never closed");
  EXPECT_EQ(error_of([] { read("a,b\n\"x,1\n\"y,2\n"); }, ErrorKind::Data),
            "f.csv:3: text after a closing quote, in the row that starts at line 2; a quote in a quoted field is "
            "written twice");
}

TEST(CsvReader, NamesTheFieldThatIsNotUtf8) {
  EXPECT_EQ(read("ok,ab\xff\n").problems, (Fields{"field 2 is not UTF-8 at byte 3"}));
}

TEST(CsvReader, EveryWrittenFieldReadsBackEqual) {
  for (const std::string value : {"plain", "", " lead", "trail ", "a,b", "a\"b", "\"", "line\nbreak", "cr\rlf\r\n"}) {
    const auto all = read("x," + csv_field(value) + ",y\n");
    ASSERT_EQ(all.records.size(), 1U) << value;
    EXPECT_EQ(all.records[0], (Fields{"x", value, "y"}));
  }
  EXPECT_EQ(csv_field("plain text"), "plain text");
}

TEST(CsvReader, LongFieldsGrowPastTheFirstBuffer) {
  const std::string text(100000, 'x');
  EXPECT_EQ(read("\"" + text + "\"," + text + "\n").records, (std::vector<Fields>{{text, text}}));
}

}  // namespace
}  // namespace normscope
