// normscope run
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <iostream>

#include "cli/commands.h"
#include "cli/dry_run.h"
#include "cli/progress_display.h"
#include "cli/stop_signals.h"
#include "core/error.h"
#include "experiments/study.h"
#include "experiments/worker.h"
#include "reports/report.h"

namespace normscope {
namespace {

struct Arguments {
  std::string recipe, out;
  std::vector<std::string> overrides;
  std::string fresh;
  bool dry_run = false, retry = false, is_worker = false;
  int64_t jobs = 0;
};

Fresh fresh_of(const std::string& text) {
  if (text.empty()) return Fresh::No;
  require(text == "refuse" || text == "replace", ErrorKind::Usage, "--fresh=", text,
          ": expected --fresh or --fresh=replace");
  return text == "replace" ? Fresh::Replace : Fresh::RefuseExisting;
}

int run(const Arguments& a) {
  catch_stop_signals();
  if (a.is_worker) {
    work(STDIN_FILENO, STDOUT_FILENO, stop_requested);
    return stop_requested() ? stop_exit_code() : 0;
  }
  const auto recipe = load_recipe(a.recipe, a.overrides);
  StudyOptions options;
  options.folder = a.out.empty() ? std::filesystem::path("runs") / recipe.name : std::filesystem::path(a.out);
  if (a.dry_run) return dry_run(recipe, options.folder, a.jobs);
  options.fresh = fresh_of(a.fresh);
  options.should_stop = stop_requested;
  options.jobs = a.jobs;
  options.retries_failed = a.retry;
  options.worker_command = {"normscope", "run", a.recipe, "--worker"};
  ProgressDisplay progress;
  const auto outcome = run_study(recipe, options, progress);
  if (outcome == StudyOutcome::Stopped) {
    std::fprintf(stderr, "stopped and saved; the same command goes on where it was\n");
    return stop_exit_code();
  }
  const auto store = RunStore::open_read_only(options.folder / "normscope.db");
  write_report(store, options.folder / "report.html");
  std::cout << summary_table(store) << "report: " << (options.folder / "report.html").string() << '\n';
  return outcome == StudyOutcome::SomeFailed ? static_cast<int>(ErrorKind::Run) : 0;
}

}  // namespace

std::function<int()> add_run(CLI::App& app) {
  auto a = std::make_shared<Arguments>();
  app.add_option("recipe", a->recipe, "Recipe (TOML)")->required();
  app.add_option("--set", a->overrides, "key=value, over the recipe's")->take_all()->expected(1);
  app.add_option("--out", a->out, "Output folder (default: runs/<recipe name>)");
  app.add_option("--jobs", a->jobs, "Runs at once (default: one a core when there are as many runs, else 1)")
      ->check(CLI::PositiveNumber);
  app.add_flag("--retry", a->retry, "Try runs again that failed, from where they were");
  app.add_flag("--worker", a->is_worker)->group("");  // started by run itself: trains what comes on standard input
  app.add_option("--fresh", a->fresh, "Refuse a folder that holds a study; --fresh=replace deletes it")
      ->expected(0, 1)
      ->default_str("refuse");
  app.add_flag("--dry-run", a->dry_run, "List the runs with time and memory by a measured step, and stop");
  return [a] { return run(*a); };
}

}  // namespace normscope
