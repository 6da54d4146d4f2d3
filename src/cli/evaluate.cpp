// normscope evaluate, normscope predict
#include "training/evaluate.h"

#include <ATen/Parallel.h>

#include <cstdio>
#include <iostream>

#include "cli/commands.h"
#include "cli/trained_model.h"
#include "core/file.h"
#include "core/parallel.h"
#include "experiments/predictions_csv.h"
#include "logging/log.h"
#include "measurements/classification.h"

namespace normscope {
namespace {

struct Arguments {
  std::string checkpoint, predictions;
  DataArguments data;
  bool json = false;
};

struct Evaluated {
  LoadedDataset data;
  std::vector<std::string> labels;
  Logits logits;
};

Evaluated evaluate_file(const Arguments& a, bool needs_labels) {
  at::set_num_threads(usable_cores());
  auto trained = open_trained_model(a.checkpoint, a.data);
  Evaluated result;
  result.labels = trained.labels;
  result.data = load_dataset(a.data.file, trained.reading_options(), result.labels, needs_labels);
  for (const auto& note : result.data.notes) log_note(note);
  const auto inputs = trained.read(result.data.rows);
  result.logits = evaluate(trained.opened.model, inputs, a.data.batch_size, trained.batch);
  return result;
}

void write_predictions(const Evaluated& e, const std::string& path) {
  const auto& rows = e.data.rows;
  const auto labels = e.data.has_labels ? std::optional<std::span<const int>>(rows.labels) : std::nullopt;
  write_file_atomically(path, predictions_csv(e.labels, rows.source_rows, labels, e.logits));
}

int evaluate_command(const Arguments& a) {
  const auto e = evaluate_file(a, true);
  if (!a.predictions.empty()) write_predictions(e, a.predictions);
  const auto c = classify(e.logits, e.data.rows.labels);
  if (a.json) {
    const nlohmann::ordered_json out = {{"rows", c.rows},
                                        {"loss", c.loss},
                                        {"accuracy", c.accuracy},
                                        {"macro_precision", c.macro_precision},
                                        {"macro_recall", c.macro_recall},
                                        {"macro_f1", c.macro_f1},
                                        {"labels", e.labels},
                                        {"confusion", c.confusion}};
    std::cout << out.dump(2) << '\n';
    return 0;
  }
  std::printf(
      "rows %lld\nloss %.6f\naccuracy %.2f %%\nmacro precision %.2f %%\nmacro recall %.2f %%\nmacro F1 %.2f %%\n\n",
      static_cast<long long>(c.rows), c.loss, c.accuracy, c.macro_precision, c.macro_recall, c.macro_f1);
  std::printf("%-20s", "label \\ predicted");
  for (const auto& label : e.labels) std::printf(" %12.12s", label.c_str());
  for (size_t i = 0; i < e.labels.size(); ++i) {
    std::printf("\n%-20.20s", e.labels[i].c_str());
    for (const int64_t count : c.confusion[i]) std::printf(" %12lld", static_cast<long long>(count));
  }
  std::printf("\n");
  return 0;
}

}  // namespace

std::function<int()> add_evaluate(CLI::App& app) {
  auto a = std::make_shared<Arguments>();
  app.add_option("checkpoint", a->checkpoint, "Checkpoint or finished run")->required();
  add_data_options(app, a->data);
  app.add_option("--predictions", a->predictions, "Also write row, label, prediction and logits as CSV");
  app.add_flag("--json", a->json, "One JSON document");
  return [a] { return evaluate_command(*a); };
}

std::function<int()> add_predict(CLI::App& app) {
  auto a = std::make_shared<Arguments>();
  app.add_option("checkpoint", a->checkpoint, "Checkpoint or finished run")->required();
  add_data_options(app, a->data);
  app.add_option("--output", a->predictions, "CSV to write")->required();
  return [a] {
    write_predictions(evaluate_file(*a, false), a->predictions);
    return 0;
  };
}

}  // namespace normscope
