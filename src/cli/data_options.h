// DATA OPTIONS of the commands that read one data file.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>

#include "experiments/prepared_data.h"
#include "recipe/recipe.h"

namespace normscope {

struct DataArguments {
  std::string file;
  std::optional<std::string> text_column, label_column, image_column, delimiter, format;
  std::string labels;  // "a,b,c"
  std::optional<int64_t> max_length;
  int64_t batch_size = 64;
};

// "a,b,c" as three names; "" as none.
std::vector<std::string> split_list(const std::string& text);

// --data and the options beside it. The object must live until the command runs.
void add_data_options(CLI::App& app, DataArguments& arguments);
// Those beside it alone, for commands that name their files otherwise.
void add_reading_options(CLI::App& app, DataArguments& arguments);

// What the arguments say, else what the checkpoint's own run used.
DataRecipe data_recipe(const DataArguments& arguments, const DataRecipe& defaults);

}  // namespace normscope
