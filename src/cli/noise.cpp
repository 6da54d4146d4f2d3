// normscope noise
#include <cstdio>

#include "cli/commands.h"
#include "cli/data_options.h"
#include "core/error.h"
#include "core/file.h"
#include "data/class_order.h"
#include "data/label_noise.h"
#include "data/noise_file.h"
#include "logging/log.h"

namespace normscope {

std::function<int()> add_noise(CLI::App& app) {
  struct Arguments {
    DataArguments data;
    std::string kind = "symmetric", noisy_class, output, prepare = "plain", matrix, file, column, true_column;
    double rate = 0;
    int64_t seed = 28;
  };
  auto a = std::make_shared<Arguments>();
  add_data_options(app, a->data);
  auto* rate =
      app.add_option("--rate", a->rate, "Fraction of all rows, 0-1 (class_matrix: the matrix's own if absent)");
  app.add_option("--seed", a->seed, "Seed")->required();
  auto* kind = app.add_option("--kind", a->kind, "paper, symmetric, pair_flip, ... (normscope list noise)");
  app.add_option("--class", a->noisy_class, "The class whose rows are flipped (kind paper, the default with --class)");
  app.add_option("--matrix", a->matrix, "Kind class_matrix: CSV, JSON of an audit, or estimated");
  app.add_option("--noise-file", a->file, "Kind file: CSV with every row's given label");
  app.add_option("--noise-column", a->column, "Kind file: its column of given labels");
  app.add_option("--true-label-column", a->true_column, "Column of true labels: of --noise-file, else of the data");
  app.add_option("--prepare", a->prepare, "A study preparation (normscope list preparations)");
  app.add_option("--output", a->output, "noise.csv to write")->required();
  return [a, kind, rate] {
    const bool draws = a->kind != "file" && a->kind != "class_matrix";
    require(rate->count() > 0 || !draws, ErrorKind::Usage, "--rate is required for --kind ", a->kind);
    require(a->file.empty() == a->column.empty(), ErrorKind::Usage, "--noise-file and --noise-column go together");
    auto options = data_options(data_recipe(a->data, {}));
    options.prepare = a->prepare;
    if (a->file.empty()) options.true_label_column = a->true_column;
    const auto splits = load_splits(a->data.file, "", "", options, {});
    NoiseOptions noise;
    noise.kind = kind->count() == 0 && !a->noisy_class.empty() ? "paper" : a->kind;
    noise.rate = a->rate;
    noise.class_name = a->noisy_class;
    noise.seed = a->seed;
    noise.matrix = a->matrix;
    noise.file = a->file;
    noise.column = a->column;
    if (!a->file.empty()) noise.true_column = a->true_column;
    const auto drawn = draw_label_noise(noise, splits.train, splits.classes);
    write_file_atomically(a->output, format_noise(drawn.rows, splits.classes));
    write_file_atomically(hash_path(a->output), training_set_hash(splits.train, splits.classes) + "\n");
    for (const auto& warning : drawn.warnings) log_warning(warning);
    std::printf("%zu of %zu rows got a wrong label: %s\n", drawn.rows.size(), splits.train.size(), a->output.c_str());
    return 0;
  };
}

}  // namespace normscope
