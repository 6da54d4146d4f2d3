// normscope measure
#include "experiments/measure.h"

#include <ATen/Parallel.h>

#include <cstdio>
#include <iostream>

#include "cli/commands.h"
#include "cli/measure_json.h"
#include "cli/trained_model.h"
#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/statistics.h"
#include "data/noise_file.h"
#include "logging/log.h"

namespace normscope {
namespace {

struct Arguments {
  std::string checkpoint, train, test, noise;
  DataArguments data;
  int64_t samples = 8, seed = 28;
  bool theorems = false, json = false;
};

struct Loaded {
  std::vector<int> train_labels;
  std::vector<NoisyRow> noise;
  TokenRows train, test;
};

Loaded load(const Arguments& a, TrainedModel& trained) {
  const auto train = load_dataset(a.train, trained.reading_options(), trained.labels, true);
  const auto test = load_dataset(a.test, trained.reading_options(), trained.labels, true);
  const MappedFile noise(a.noise, ErrorKind::Data);
  Loaded loaded;
  loaded.noise = parse_noise(noise.bytes(), a.noise, train.rows, trained.labels, NoiseRowKey::SourceRow);
  require(!loaded.noise.empty(), ErrorKind::Data, a.noise, ": expected noisy rows, found none");
  require(test.rows.size() > 0, ErrorKind::Data, a.test, ": expected rows, found none");
  loaded.train = trained.read(train.rows);
  loaded.test = trained.read(test.rows);
  loaded.train_labels = train.rows.labels;
  return loaded;
}

// Of a study: normscope report shows there what was measured.
bool is_run_folder(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / "recipe.toml") && std::filesystem::is_directory(folder / "checkpoint");
}

std::string placed(const std::string& role, int layer) {
  return layer >= 0 ? role + " " + std::to_string(layer) : role;
}

void print_norms(const Measured& measured) {
  const auto &learning = *measured.find("learning"), &memorization = *measured.find("memorization");
  std::printf("%zu test rows (learning), %zu noisy rows (memorization); means of the rows' gradient norms\n\n",
              learning.logits.size(), memorization.logits.size());
  std::printf("%-16s %10s %10s %8s %10s %10s %10s %10s %9s %9s\n", "norm", "learning", "memoriz.", "ratio", "branch",
              "sigma*|g|", "kappa l.", "kappa m.", "sigma", "|input|");
  for (size_t i = 0; i < learning.norms.size(); ++i) {
    const auto &above = learning.norms[i], &below = memorization.norms[i];
    const auto& input = measured.inputs[0].norms[i];
    std::printf("%-16s %10.3e %10.3e %8.2f %10.3e %10.3e %10.3e %10.3e %9.4f %9.3f\n",
                placed(above.role, above.layer).c_str(), mean(above.total), mean(below.total),
                mean(above.total) / mean(below.total), mean(above.branch), mean(above.scale_free), mean(above.gain),
                mean(below.gain), mean(input.sigma), mean(input.input_norm));
  }
}

void print_first(const Theorem1& theorem) {
  std::printf("\nTheorem 1: %s. Learning gradients are at least memorization gradients, if kappa is alike for both.\n",
              to_text(theorem.verdict));
  std::printf("  |p - y| alone makes the ratio %.2f [%.2f, %.2f]\n", theorem.loss_ratio.mean, theorem.loss_ratio.low,
              theorem.loss_ratio.high);
  std::printf("  %-16s %27s %27s  %s\n", "norm", "ratio [95 %]", "of kappa [95 %]", "verdict");
  for (const auto& norm : theorem.norms)
    std::printf("  %-16s %9.2f [%7.2f,%7.2f] %9.3f [%7.3f,%7.3f]  %s\n", placed(norm.role, norm.layer).c_str(),
                norm.ratio.mean, norm.ratio.low, norm.ratio.high, norm.gain_ratio.mean, norm.gain_ratio.low,
                norm.gain_ratio.high, to_text(norm.verdict));
}

void print_second(const TheoremChecks::Set& set) {
  const auto& theorem = set.second;
  std::printf("\nTheorem 2, %s, %lld rows: %s. Every gradient lies under each level of its bound.\n", set.name.c_str(),
              static_cast<long long>(theorem.rows), to_text(theorem.verdict));
  if (theorem.has_paper_form) std::printf("  the paper's variance form (T4): %s\n", to_text(theorem.paper_form));
  std::printf("  %-16s %10s %10s %10s %10s %10s  %s\n", "norm", "T0 = |g|", "T1", "T2", "T3",
              theorem.has_paper_form ? "T4" : "branch UB", "verdict");
  for (const auto& norm : theorem.norms)
    std::printf("  %-16s %10.3e %10.3e %10.3e %10.3e %10.3e  %s\n", placed(norm.role, norm.layer).c_str(), norm.mean.t0,
                norm.mean.t1_upper, norm.mean.t2_upper, norm.mean.t3_upper,
                theorem.has_paper_form ? norm.mean.t4 : norm.mean.branch_bound, to_text(norm.verdict));
}

void print_third(const TheoremChecks::Set& set) {
  std::printf("\nTheorem 3, %s: %s. The bound falls with depth.\n", set.name.c_str(), to_text(set.third.verdict));
  for (const auto& trend : set.third.trends)
    std::printf("  rank correlation of layer and measured gradient, %s norms: %.2f\n", trend.role.c_str(),
                trend.correlation);
  std::printf("  %-16s %10s %10s %10s %10s %10s  %s\n", "norm", "bound", "falls", "variance", "|g|", "falls",
              "verdict");
  for (const auto& norm : set.third.norms) {
    const auto falls = [&](bool value) { return norm.is_last ? "-" : value ? "yes" : "no"; };
    std::printf("  %-16s %10.3e %10s %10.3f %10.3e %10s  %s\n", placed(norm.role, norm.layer).c_str(), norm.bound,
                falls(norm.bound_falls), norm.largest_variance, norm.gradient, falls(norm.gradient_falls),
                to_text(norm.verdict));
  }
}

int measure(const Arguments& a) {
  at::set_num_threads(usable_cores());
  auto trained = open_trained_model(a.checkpoint, a.data);
  const auto& model = trained.opened.model;
  const auto loaded = load(a, trained);
  const MeasuredData data{loaded.test, loaded.train, loaded.test.labels, loaded.train_labels, loaded.noise};
  MeasureOptions options;
  options.probe = probe_options(trained.batch, a.data.batch_size, trained.max_length, model);
  options.seed = static_cast<uint64_t>(a.seed);
  TheoremChecks checks;
  if (a.theorems)
    checks.sets = bound_theorems(open_model(a.checkpoint, {torch::kFloat64, trained.batch.device}).model, data,
                                 a.samples, options, log_note);
  const auto measured = measure_norms(model, data, options);
  checks.first = first_theorem(measured, options.seed);
  const auto document = measure_json(measured, checks, options.seed);
  if (const std::filesystem::path folder(a.checkpoint); is_run_folder(folder))
    write_file_atomically(folder / "measure.json", document.dump(2) + "\n");
  if (a.json) {
    std::cout << document.dump(2) << '\n';
    return 0;
  }
  print_norms(measured);
  if (!a.theorems) return 0;
  print_first(checks.first);
  for (const auto& set : checks.sets) print_second(set);
  for (const auto& set : checks.sets) print_third(set);
  return 0;
}

}  // namespace

std::function<int()> add_measure(CLI::App& app) {
  auto a = std::make_shared<Arguments>();
  app.add_option("checkpoint", a->checkpoint, "Checkpoint or finished run")->required();
  app.add_option("--train", a->train, "Training rows with their true labels")->required();
  app.add_option("--test", a->test, "Test rows")->required();
  app.add_option("--noise", a->noise, "noise.csv of the run: the noisy rows of the training file")->required();
  add_reading_options(app, a->data);
  app.add_flag("--theorems", a->theorems, "Hold the study's three theorems against the checkpoint");
  app.add_option("--samples", a->samples, "Rows of each set that theorems 2 and 3 are checked on")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seed", a->seed, "Of the chosen rows, random labels and intervals")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_flag("--json", a->json, "One JSON document");
  return [a] { return measure(*a); };
}

}  // namespace normscope
