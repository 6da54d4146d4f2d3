// normscope noise
#include <cstdio>

#include "cli/commands.h"
#include "cli/data_options.h"
#include "core/file.h"
#include "data/class_order.h"
#include "data/label_noise.h"
#include "data/noise_file.h"
#include "logging/log.h"

namespace normscope {

std::function<int()> add_noise(CLI::App& app) {
  struct Arguments {
    DataArguments data;
    std::string kind = "symmetric", noisy_class, output, prepare = "plain";
    double rate = 0;
    int64_t seed = 28;
  };
  auto a = std::make_shared<Arguments>();
  add_data_options(app, a->data);
  app.add_option("--rate", a->rate, "Fraction of all rows, 0-1")->required();
  app.add_option("--seed", a->seed, "Seed")->required();
  auto* kind = app.add_option("--kind", a->kind, "paper, symmetric, pair_flip, ... (normscope list noise)");
  app.add_option("--class", a->noisy_class, "The class whose rows are flipped (kind paper, the default with --class)");
  app.add_option("--prepare", a->prepare, "A study preparation (normscope list preparations)");
  app.add_option("--output", a->output, "noise.csv to write")->required();
  return [a, kind] {
    auto options = data_options(data_recipe(a->data, {}));
    options.prepare = a->prepare;
    const auto splits = load_splits(a->data.file, "", "", options, {});
    NoiseOptions noise;
    noise.kind = kind->count() == 0 && !a->noisy_class.empty() ? "paper" : a->kind;
    noise.rate = a->rate;
    noise.class_name = a->noisy_class;
    noise.seed = a->seed;
    const auto drawn = draw_label_noise(noise, splits.train, splits.classes);
    write_file_atomically(a->output, format_noise(drawn.rows, splits.classes));
    for (const auto& warning : drawn.warnings) log_warning(warning);
    std::printf("%zu of %zu rows got a wrong label: %s\n", drawn.rows.size(), splits.train.size(), a->output.c_str());
    return 0;
  };
}

}  // namespace normscope
