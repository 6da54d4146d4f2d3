#include "experiments/study_session.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "core/error.h"
#include "core/parallel.h"
#include "experiments/jobs.h"
#include "experiments/machine.h"
#include "experiments/open_model.h"
#include "experiments/recipe_change.h"
#include "storage/claims.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

// Whether nothing is there, or only what a start that was killed at once, or is under way elsewhere, has made so far.
bool is_empty_or_absent(const fs::path& folder) {
  if (!fs::exists(folder)) return true;
  if (!fs::is_directory(folder)) return false;
  return std::ranges::all_of(fs::directory_iterator(folder), [](const fs::directory_entry& entry) {
    return entry.path().filename() == "normscope.lock" ||
           (entry.path().filename() == "runs" && entry.is_directory() && fs::is_empty(entry.path()));
  });
}

// Only what normscope writes goes; a user's own files in the folder stay.
void remove_study(const fs::path& folder) {
  for (const auto* name : {"normscope.db", "normscope.db-wal", "normscope.db-shm", "report.html", "runs", "figures",
                           "audit.csv", "audit.json", "audit_pictures", "cache"})
    fs::remove_all(folder / name);
}

void prepare_folder(const StudyOptions& options) {
  const auto& folder = options.folder;
  const bool is_empty = is_empty_or_absent(folder);
  const bool is_study = fs::exists(folder / "normscope.db");
  require(is_empty || is_study || options.fresh == Fresh::No, ErrorKind::Usage, folder.string(),
          ": is not empty and holds no study; choose another --out");
  require(is_empty || options.fresh != Fresh::RefuseExisting, ErrorKind::Usage, folder.string(),
          ": holds a study already; without --fresh it goes on, --fresh=replace deletes it and starts anew");
  require(is_empty || is_study, ErrorKind::Usage, folder.string(),
          ": is not empty and holds no normscope.db; choose another --out");
  std::error_code error;
  fs::create_directories(folder / "runs", error);
  require(!error, ErrorKind::Run, folder.string(), ": cannot be created: ", error.message());
}

torch::ScalarType find_precision(const std::string& name) {
  if (name == "float64") return torch::kFloat64;
  require(name != "bfloat16", ErrorKind::Usage,
          "training.precision: bfloat16 is not supported yet; use float32 or auto");
  return torch::kFloat32;
}

Study describe_study(const Recipe& recipe, const std::vector<RunRecipe>& runs, int64_t jobs) {
  Study study;
  study.recipe = to_toml(recipe);
  study.device = find_device(recipe.device).str();
  study.precision = recipe.training.precision == "auto" ? "float32" : recipe.training.precision;
  study.threads = recipe.threads > 0 ? recipe.threads : choose_threads(runs, study.device, jobs);
  study.normscope_version = NORMSCOPE_VERSION;
  study.machine = machine_description();
  study.git_state = NORMSCOPE_GIT_STATE;
  return study;
}

// A study that has read nothing yet holds nothing to lose.
bool has_results(const RunStore& store) {
  const auto runs = store.runs();
  return !store.dropped_runs().empty() ||
         std::ranges::any_of(runs, [&](const Run& run) { return !store.metrics(run.id).empty(); });
}

enum class Match { Same, Changed, Useless };

Match match_stored(const fs::path& folder, const Recipe& recipe) {
  const auto store = RunStore::open(folder / "normscope.db");
  const auto study = store.find_study();
  if (!study) return Match::Same;  // nothing is stored yet
  finish_change(store);
  if (recipe_hash(parse_recipe(study->recipe, "normscope.db")) == recipe_hash(recipe)) return Match::Same;
  return has_results(store) ? Match::Changed : Match::Useless;
}

// With the study's byte alone: creates it, or makes it what the recipe says. Returns what the user should know.
std::string set_up_study(const Recipe& recipe, const StudyOptions& options) {
  const auto runs = expand_grid(recipe);
  const auto match = options.fresh == Fresh::Replace ? Match::Useless : match_stored(options.folder, recipe);
  if (match == Match::Useless) {
    remove_study(options.folder);
    fs::create_directories(options.folder / "runs");
  }
  auto store = RunStore::open(options.folder / "normscope.db");
  if (match == Match::Changed) {
    const auto change = plan_change(store, runs);
    change_recipe(store, recipe, change);
    return to_text(change);
  }
  store.create_study(describe_study(recipe, runs, options.jobs));
  for (const auto& run : runs)
    if (!store.find_run(run.id)) store.create_run(waiting_run(run));
  return "";
}

// Beside another process nothing may change.
void check_unchanged(const Recipe& recipe, const StudyOptions& options) {
  require(options.fresh != Fresh::Replace, ErrorKind::Usage, options.folder.string(),
          ": another normscope process is running this study; --fresh=replace would take it away");
  const auto study = RunStore::open_read_only(options.folder / "normscope.db").find_study();
  const bool is_same = study && recipe_hash(parse_recipe(study->recipe, "normscope.db")) == recipe_hash(recipe);
  require(is_same, ErrorKind::Usage, options.folder.string(),
          ": another normscope process is running this study with another recipe; stop it first");
}

void let_failed_wait(RunStore& store) {
  for (const auto& run : store.runs())
    if (run.state == RunState::Failed && claim_run(store, run)) store.set_state(run.id, RunState::Waiting);
}

}  // namespace

StudySession open_session(const Recipe& recipe, const StudyOptions& options) {
  prepare_folder(options);
  std::string note;
  auto lock = try_lock_study(options.folder);
  if (lock) {
    note = set_up_study(recipe, options);
    lock->share();
  } else {
    // Either others work on it, or one is about to create it and shares it soon.
    lock = share_study(options.folder);
    check_unchanged(recipe, options);
  }
  auto store = RunStore::open(options.folder / "normscope.db");
  if (options.retries_failed) let_failed_wait(store);
  auto study = *store.find_study();
  return {options.folder, std::move(*lock), std::move(store), std::move(study), expand_grid(recipe), note};
}

StudySession join_session(const Recipe& recipe, const fs::path& folder) {
  auto lock = share_study(folder);
  auto store = RunStore::open(folder / "normscope.db");
  auto study = *store.find_study();
  return {folder, std::move(lock), std::move(store), std::move(study), expand_grid(recipe), ""};
}

RunContext run_context(StudySession& session, DataCache& cache, Progress& progress,
                       const std::function<bool()>& should_stop) {
  const int threads = static_cast<int>(session.study.threads);
  at::set_num_threads(threads);
  RunContext context{session.store,
                     session.folder / "runs",
                     progress,
                     should_stop,
                     cache,
                     find_device(session.study.device),
                     find_precision(session.study.precision),
                     threads};
  context.total = static_cast<int64_t>(session.runs.size());
  return context;
}

}  // namespace normscope
