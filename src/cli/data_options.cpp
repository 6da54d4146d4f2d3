#include "cli/data_options.h"

namespace normscope {

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; !text.empty() && begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return parts;
}

void add_data_options(CLI::App& app, DataArguments& a) {
  app.add_option("--data", a.file, "File of rows, or folder of pictures")->required();
  add_reading_options(app, a);
}

void add_reading_options(CLI::App& app, DataArguments& a) {
  app.add_option("--text-column", a.text_column, "Column of the text");
  app.add_option("--label-column", a.label_column, "Column of the label");
  app.add_option("--image-column", a.image_column, "Column of the image's path");
  app.add_option("--delimiter", a.delimiter, "One character, or auto");
  app.add_option("--format", a.format, "auto, csv, tsv, jsonl, txt, image_folder, idx, cifar");
  app.add_option("--labels", a.labels, "Class order: a,b,c");
  app.add_option("--max-length", a.max_length, "Tokens a row at most")->check(CLI::PositiveNumber);
  app.add_option("--batch-size", a.batch_size, "Rows a batch")->check(CLI::PositiveNumber)->capture_default_str();
}

DataRecipe data_recipe(const DataArguments& a, const DataRecipe& defaults) {
  DataRecipe data = defaults;
  data.text_column = a.text_column.value_or(data.text_column);
  data.label_column = a.label_column.value_or(data.label_column);
  data.image_column = a.image_column.value_or(data.image_column);
  data.delimiter = a.delimiter.value_or(data.delimiter);
  data.format = a.format.value_or(data.format);
  data.max_length = a.max_length.value_or(data.max_length);
  if (!a.labels.empty()) data.labels = split_list(a.labels);
  return data;
}

}  // namespace normscope
