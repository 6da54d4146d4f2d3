// normscope status
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <thread>

#include "cli/commands.h"
#include "cli/progress_display.h"
#include "cli/stop_signals.h"
#include "reports/table.h"
#include "storage/study_status.h"

namespace normscope {
namespace {

struct Arguments {
  std::string folder;
  bool json = false, watch = false;
};

std::string percent_text(double value) {
  char text[32] = "";
  if (!std::isnan(value)) std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

// Why a run failed or waits stands under the table, where a long line does no harm.
std::string status_text(const StudyStatus& status) {
  Table table{
      "", {{"run"}, {"state"}, {"epoch", true}, {"test", true, "%"}, {"memorization", true, "%"}, {"left", true}}, {}};
  std::string errors;
  for (const auto& [run, latest, seconds_per_epoch, seconds_left] : status.runs) {
    const bool is_over = run.state == RunState::Done || run.state == RunState::Failed;
    table.add({{run.id},
               {to_text(run.state)},
               {std::to_string(run.epoch) + "/" + std::to_string(run.epochs)},
               {percent_text(latest.test_accuracy)},
               {percent_text(latest.memorization)},
               {is_over || std::isnan(seconds_left) ? "" : duration_text(seconds_left)}});
    if (!run.error.empty()) errors += run.id + ": " + run.error + "\n";
  }
  std::string text =
      to_text(table) + errors + std::to_string(status.done) + " of " + std::to_string(status.runs.size()) + " done";
  if (status.jobs > 0) text += ", " + std::to_string(status.jobs) + " running";
  if (status.seconds_left > 0) text += ", about " + duration_text(status.seconds_left) + " left";
  return text + "\n";
}

// Redraws until every run is over or the user has seen enough.
void watch(const RunStore& store) {
  catch_stop_signals();
  const bool is_terminal = ::isatty(STDOUT_FILENO) == 1;
  while (true) {
    const auto status = study_status(store);
    std::cout << (is_terminal ? "\x1b[H\x1b[J" : "") << status_text(status) << std::flush;
    const bool is_over = status.seconds_left == 0;
    for (int i = 0; i < 20 && !is_over && !stop_requested(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (is_over || stop_requested()) return;
  }
}

}  // namespace

std::function<int()> add_status(CLI::App& app) {
  auto a = std::make_shared<Arguments>();
  app.add_option("folder", a->folder, "The study's output folder")->required();
  auto* json = app.add_flag("--json", a->json, "One JSON document");
  app.add_flag("--watch", a->watch, "Every two seconds until all runs are over")->excludes(json);
  return [a] {
    const auto store = RunStore::open_read_only(std::filesystem::path(a->folder) / "normscope.db");
    if (a->watch) {
      watch(store);
    } else if (a->json) {
      std::cout << status_json(study_status(store)).dump(2) << '\n';
    } else {
      std::cout << status_text(study_status(store));
    }
    return 0;
  };
}

}  // namespace normscope
