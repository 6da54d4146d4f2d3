// The text formats: columns, delimiters, bad rows, and the messages of what is wrong.
#include "data/formats.h"

#include "data/data_test.h"

namespace normscope {
namespace {

using Row = std::pair<std::string, std::string>;
using Rows = std::vector<Row>;

Rows text_and_label(const SourceRows& file) {
  Rows rows;
  for (const auto& row : file.rows) rows.emplace_back(row.text, row.label);
  return rows;
}

TEST(Formats, NamesAreUniqueAndExtensionsSelectThem) {
  std::vector<std::string> names;
  for (const auto& format : formats()) {
    names.push_back(format.name);
    EXPECT_FALSE(format.summary.empty());
    for (const auto& extension : format.extensions)
      EXPECT_EQ(find_format("auto", "folder/FILE" + extension).name, format.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"csv", "tsv", "jsonl", "txt", "idx", "cifar", "image_folder"}));
  EXPECT_EQ(find_format("auto", "a/B.CSV").name, "csv");
  EXPECT_EQ(find_format("txt", "a.csv").name, "txt");
  EXPECT_EQ(error_of([] { find_format("xlsx", "a.csv"); }, ErrorKind::Usage),
            "unknown format \"xlsx\"; known: auto, csv, tsv, jsonl, txt, idx, cifar, image_folder");
  EXPECT_EQ(
      error_of([] { find_format("auto", "a.dat"); }, ErrorKind::Data),
      "a.dat: the name does not tell the format; set format to one of csv, tsv, jsonl, txt, idx, cifar, image_folder");
}

TEST(Csv, FindsTheDelimiterThatShowsTheColumns) {
  const Rows expected{{"a, b; c", "x"}};
  for (const char* text : {"text,label\n\"a, b; c\",x\n", "text;label\n\"a, b; c\";x\n",
                           "id\ttext\tlabel\n1\ta, b; c\tx\n", "label|text\nx|a, b; c\n"})
    EXPECT_EQ(text_and_label(read_csv(text, "f", {})), expected) << text;
  ReadOptions options;
  options.delimiter = "^";
  EXPECT_EQ(text_and_label(read_csv("text^label\na, b; c^x\n", "f", options)), expected);
  options.delimiter = "tab";
  EXPECT_EQ(text_and_label(read_csv("text\tlabel\na, b; c\tx\n", "f", options)), expected);
}

TEST(Csv, RefusesDelimitersThatCannotBe) {
  for (const char* name : {"", "\"", "\n", "ab", "\xc3\xa9"}) {
    ReadOptions options;
    options.delimiter = name;
    EXPECT_EQ(error_of([&] { read_csv("text,label\n", "f", options); }, ErrorKind::Usage),
              "delimiter \"" + std::string(name) +
                  "\": expected one ASCII character that is no quote and no line break, or \"tab\"");
  }
}

TEST(Csv, MissingColumnListsThoseThereAre) {
  EXPECT_EQ(error_of([] { read_csv("txt,label,id\na,b,1\n", "f.csv", {}); }, ErrorKind::Data),
            "f.csv:1: no column \"text\"; columns are txt, label, id; did you mean \"txt\"?");
  EXPECT_EQ(error_of([] { read_csv("\ntext,emotion\na,b\n", "f.csv", {}); }, ErrorKind::Data),
            "f.csv:2: no column \"label\"; columns are text, emotion");
  EXPECT_EQ(error_of([] { read_csv("text,text,label\na,b,c\n", "f.csv", {}); }, ErrorKind::Data),
            "f.csv:1: column \"text\" appears more than once");
  EXPECT_EQ(error_of([] { read_csv("", "f.csv", {}); }, ErrorKind::Data),
            "f.csv:1: expected a header line, found an empty file");
}

TEST(Csv, BadRowsAreErrorsOrListed) {
  const std::string bytes = "text,label\ngood,a\nshort\n\"q\"x,b\nbad\xff,c\nempty,\nlast,d,extra\nend,e\n";
  EXPECT_EQ(error_of([&] { read_csv(bytes, "f.csv", {}); }, ErrorKind::Data),
            "f.csv:3: expected 2 fields as in the header, found 1");
  ReadOptions options;
  options.skips_bad_rows = true;
  const auto file = read_csv(bytes, "f.csv", options);
  EXPECT_EQ(text_and_label(file), (Rows{{"good", "a"}, {"end", "e"}}));
  EXPECT_EQ(file.rows[1].source_row, 6);
  EXPECT_EQ(file.rows[1].line, 8);
  std::vector<std::string> skipped;
  for (const auto& row : file.skipped)
    skipped.push_back(row.file + ":" + std::to_string(row.line) + " row " + std::to_string(row.source_row) + ": " +
                      row.reason);
  EXPECT_EQ(skipped, (std::vector<std::string>{
                         "f.csv:3 row 1: expected 2 fields as in the header, found 1",
                         "f.csv:4 row 2: text after a closing quote; a quote in a quoted field is written twice",
                         "f.csv:5 row 3: field 1 is not UTF-8 at byte 4", "f.csv:6 row 4: the label is empty",
                         "f.csv:7 row 5: expected 2 fields as in the header, found 3"}));
}

TEST(Csv, LabelsMayBeAbsentWhereTheyAreNotNeeded) {
  ReadOptions options;
  options.needs_labels = false;
  const auto file = read_csv("text\na\nb\n", "f.csv", options);
  EXPECT_FALSE(file.has_labels);
  EXPECT_EQ(text_and_label(file), (Rows{{"a", ""}, {"b", ""}}));
  const auto partly = read_csv("text,label\na,x\nb,\n", "f.csv", options);
  EXPECT_EQ(text_and_label(partly), (Rows{{"a", "x"}, {"b", ""}}));
}

TEST(Csv, TakesBothLabels) {
  ReadOptions options;
  options.true_label_column = "clean";
  options.needs_true_labels = true;
  const auto file = read_csv("text,label,clean\na,x,y\n", "f.csv", options);
  EXPECT_EQ(file.rows[0].label, "x");
  EXPECT_EQ(file.rows[0].true_label, "y");
  EXPECT_EQ(error_of([&] { read_csv("text,label\na,x\n", "f.csv", options); }, ErrorKind::Data),
            "f.csv:1: no column \"clean\"; columns are text, label");
  options.needs_true_labels = false;
  EXPECT_FALSE(read_csv("text,label\na,x\n", "f.csv", options).has_true_labels);
}

TEST(Tsv, SplitsAtTabs) {
  EXPECT_EQ(text_and_label(read_tsv("text\tlabel\na, b\tx\n", "f", {})), (Rows{{"a, b", "x"}}));
}

TEST(Jsonl, TakesStringAndIntegerLabels) {
  const auto file = read_jsonl(
      "{\"text\": \"a\\nb\", \"label\": 3}\r\n\n  \n{\"label\": \"x\", \"text\": \"\\u00e9\", \"more\": "
      "[1]}\n"
      "{\"text\":\"null\",\"label\":-1}",
      "f.jsonl", {});
  EXPECT_EQ(text_and_label(file), (Rows{{"a\nb", "3"}, {"\xc3\xa9", "x"}, {"null", "-1"}}));
  EXPECT_EQ(file.rows[1].line, 4);
  EXPECT_EQ(file.rows[1].source_row, 1);
}

TEST(Jsonl, NamesWhatIsWrongWithALine) {
  const auto message = [](const std::string& bytes) {
    return error_of([&] { read_jsonl(bytes, "f.jsonl", {}); }, ErrorKind::Data);
  };
  const std::string good = "{\"text\": \"a\", \"label\": 1}\n";
  EXPECT_EQ(message("{\"txt\": \"a\", \"label\": 1}\n"),
            "f.jsonl:1: no column \"text\"; columns are label, txt; did you mean \"txt\"?");
  EXPECT_EQ(message("{\"text\": \"a\"}\n"), "f.jsonl:1: no column \"label\"; columns are text");
  EXPECT_EQ(message(good + "{\"text\": \"a\"}\n"), "f.jsonl:2: no column \"label\"; columns are text");
  EXPECT_EQ(message(good + "{\"text\": 5, \"label\": 1}\n"), "f.jsonl:2: \"text\" is number; expected a string");
  EXPECT_EQ(message(good + "{\"text\": \"a\", \"label\": 1.5}\n"),
            "f.jsonl:2: \"label\" is number; expected a string or an integer");
  EXPECT_EQ(message(good + "{\"text\": \"a\", \"label\": null}\n"),
            "f.jsonl:2: \"label\" is null; expected a string or an integer");
  EXPECT_EQ(message(good + "{\"text\": \"a\", \"label\": \"\"}\n"), "f.jsonl:2: the label is empty");
  EXPECT_EQ(message(good + "{\"text\": \"a\n"), "f.jsonl:2: not a JSON value; expected one object a line");
  EXPECT_EQ(message("[\n" + good), "f.jsonl:1: not a JSON value; expected one object a line");
  EXPECT_EQ(message("[]\n"), "f.jsonl:1: array; expected one JSON object a line");
  EXPECT_EQ(message(good + "{\"text\": \"\xff\", \"label\": 1}\n"), "f.jsonl:2: not UTF-8 at byte 11");
}

TEST(Jsonl, SkipsBadLinesWhenAsked) {
  ReadOptions options;
  options.skips_bad_rows = true;
  const auto file =
      read_jsonl("{\"text\": \"a\", \"label\": 1}\n{}\nx\n{\"text\": \"b\", \"label\": 2}\n", "f", options);
  EXPECT_EQ(text_and_label(file), (Rows{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(file.skipped.size(), 2U);
  EXPECT_EQ(file.rows[1].source_row, 3);
}

TEST(Txt, TakesFilesWithAndWithoutHeader) {
  const Rows expected{{"i feel; well", "joy"}, {"oh \"no", "fear"}, {"ah", "joy"}, {"oh", "joy"}};
  const std::string rows = "i feel; well;joy\noh \"no;fear\nah;joy\noh;joy";
  EXPECT_EQ(text_and_label(read_txt("text;label_name\n" + rows, "f.txt", {})), expected);
  EXPECT_EQ(text_and_label(read_txt(rows, "f.txt", {})), expected);
  EXPECT_EQ(read_txt("text;label_name\n" + rows, "f.txt", {}).rows[0].line, 2);
  ReadOptions options;
  options.delimiter = " => ";
  EXPECT_EQ(text_and_label(read_txt("a => b => c\r\n\r\nd => e\r\n", "f.txt", options)),
            (Rows{{"a => b", "c"}, {"d", "e"}}));
}

TEST(Txt, NamesLinesThatCannotBeSplit) {
  ReadOptions options;
  options.delimiter = ";";
  EXPECT_EQ(error_of([&] { read_txt("a;x\nb\n", "f.txt", options); }, ErrorKind::Data),
            "f.txt:2: no delimiter \";\" between text and label");
  EXPECT_EQ(error_of([&] { read_txt("a;x\nb\xff;y\n", "f.txt", options); }, ErrorKind::Data),
            "f.txt:2: not UTF-8 at byte 2");
  EXPECT_EQ(error_of([&] { read_txt("a;x\nb;\n", "f.txt", options); }, ErrorKind::Data), "f.txt:2: the label is empty");
  EXPECT_EQ(error_of([] { read_txt("no label here\nnor here\n", "f.txt", {}); }, ErrorKind::Data),
            "f.txt:1: no delimiter stands in every line; set delimiter to what separates text and label");
  options.true_label_column = "clean";
  options.needs_true_labels = true;
  EXPECT_EQ(error_of([&] { read_txt("a;x\n", "f.txt", options); }, ErrorKind::Usage),
            "f.txt: a txt file has a text and one label; true_label_column \"clean\" needs csv, tsv or jsonl");
}

TEST(Txt, WithoutLabelsEveryLineIsAText) {
  ReadOptions options;
  options.needs_labels = false;
  const auto file = read_txt("first, with a comma\nsecond, with another\nthird\n", "f.txt", options);
  EXPECT_FALSE(file.has_labels);
  EXPECT_EQ(text_and_label(file), (Rows{{"first, with a comma", ""}, {"second, with another", ""}, {"third", ""}}));
}

class FormatFiles : public DataFiles {};

TEST_F(FormatFiles, ReadsPastAByteOrderMark) {
  const auto csv = write("bom.csv", "\xef\xbb\xbftext,label\na,x\n");
  EXPECT_EQ(text_and_label(read_source_rows(csv, "auto", {})), (Rows{{"a", "x"}}));
  const auto jsonl = write("bom.jsonl", "\xef\xbb\xbf{\"text\": \"a\", \"label\": \"x\"}\n");
  EXPECT_EQ(text_and_label(read_source_rows(jsonl, "auto", {})), (Rows{{"a", "x"}}));
  const auto wide = write("wide.csv", std::string("\xff\xfet\0e\0", 6));
  EXPECT_EQ(error_of([&] { read_source_rows(wide, "auto", {}); }, ErrorKind::Data),
            wide + ":1: text is UTF-16; expected UTF-8");
}

}  // namespace
}  // namespace normscope
