#include "experiments/study.h"

#include <ATen/Parallel.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "experiments/machine.h"
#include "experiments/open_model.h"
#include "experiments/run.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

// One process at a time owns a study's folder; the lock goes with the process.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder) {
    descriptor_ = ::open((folder / "normscope.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    require(descriptor_ >= 0, ErrorKind::Run, folder.string(), ": cannot be written");
    const bool locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
    if (!locked) ::close(descriptor_);
    require(locked, ErrorKind::Usage, folder.string(), ": another normscope process is running this study");
  }
  ~FolderLock() { ::close(descriptor_); }
  FolderLock(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

bool is_empty_or_absent(const fs::path& folder) { return !fs::exists(folder) || fs::is_empty(folder); }

// Only what normscope writes goes; a user's own files in the folder stay.
void remove_study(const fs::path& folder) {
  for (const auto* name : {"normscope.db", "normscope.db-wal", "normscope.db-shm", "report.html", "runs", "figures",
                           "audit.csv", "audit.json", "audit_pictures"})
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

Study describe_study(const Recipe& recipe) {
  Study study;
  study.recipe = to_toml(recipe);
  study.threads = recipe.threads > 0 ? recipe.threads : usable_cores();
  study.device = find_device(recipe.device).str();
  study.precision = recipe.training.precision == "auto" ? "float32" : recipe.training.precision;
  study.normscope_version = NORMSCOPE_VERSION;
  study.machine = machine_description();
  study.git_state = NORMSCOPE_GIT_STATE;
  return study;
}

// A study that has read nothing yet holds nothing to lose: a corrected recipe takes its place.
bool may_be_replaced(const fs::path& folder, const Recipe& recipe) {
  const auto store = RunStore::open(folder / "normscope.db");
  const auto study = store.find_study();
  if (!study) return false;
  const auto stored_recipe = parse_recipe(study->recipe, (folder / "normscope.db").string());
  if (recipe_hash(stored_recipe) == recipe_hash(recipe)) return false;
  const auto runs = store.runs();
  const bool has_results = std::ranges::any_of(runs, [&](const Run& run) { return !store.metrics(run.id).empty(); });
  require(!has_results, ErrorKind::Usage, folder.string(), ": belongs to another recipe ('", stored_recipe.name,
          "' as it was when the study was created); choose another --out, or --fresh=replace to start anew");
  return true;
}

void create_waiting_runs(RunStore& store, const std::vector<RunRecipe>& runs) {
  for (const auto& item : runs) {
    if (store.find_run(item.id)) continue;
    Run run;
    run.id = run.name = item.id;
    run.epochs = item.recipe.training.epochs;
    run.seed = item.recipe.seed.all;
    run.norm_selection = norm_selection_label(item.recipe);
    run.model = fs::path(item.recipe.model.checkpoint).filename().string();
    run.recipe = to_toml(item.recipe);
    store.create_run(run);
  }
}

}  // namespace

StudyOutcome run_study(const Recipe& recipe, const StudyOptions& options, Progress& progress) {
  prepare_folder(options);
  const FolderLock lock(options.folder);
  if (options.fresh == Fresh::Replace || may_be_replaced(options.folder, recipe)) {
    remove_study(options.folder);
    fs::create_directories(options.folder / "runs");
  }
  auto store = RunStore::open(options.folder / "normscope.db");
  const Study study = store.create_study(describe_study(recipe));
  const auto runs = expand_grid(recipe);
  create_waiting_runs(store, runs);

  at::set_num_threads(static_cast<int>(study.threads));
  DataCache cache(options.folder / "pixels");
  RunContext context{store,
                     options.folder / "runs",
                     progress,
                     options.should_stop,
                     cache,
                     find_device(study.device),
                     find_precision(study.precision),
                     static_cast<int>(study.threads)};
  StudyOutcome outcome = StudyOutcome::Done;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (store.run(runs[i].id).state == RunState::Done) continue;
    context.index = static_cast<int64_t>(i);
    context.total = static_cast<int64_t>(runs.size());
    try {
      if (!run_one(runs[i], context)) return StudyOutcome::Stopped;
    } catch (const Error& error) {
      store.set_state(runs[i].id, RunState::Failed, error.what());
      if (error.kind() != ErrorKind::Run) throw;
      progress.note("run " + runs[i].id + " failed: " + error.what());
      outcome = StudyOutcome::SomeFailed;
    }
  }
  return outcome;
}

}  // namespace normscope
