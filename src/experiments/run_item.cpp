#include "experiments/run_item.h"

#include "experiments/failure.h"
#include "storage/claims.h"
#include "training/trainer.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

// What a killed process was writing; nobody else writes here while the run is claimed.
void remove_partial_files(const fs::path& folder) {
  if (!fs::exists(folder)) return;
  std::vector<fs::path> partial;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().filename().string().find(".partial-") != std::string::npos) partial.push_back(entry.path());
  for (const auto& path : partial) fs::remove(path);
}

RunResult attempt(const RunRecipe& run, RunContext& context) {
  try {
    return {run_one(run, context) ? RunOutcome::Done : RunOutcome::Stopped, ""};
  } catch (const Diverged& error) {
    return {RunOutcome::Failed, error.what()};
  } catch (const std::exception& failure) {
    const auto error = to_error(failure);
    const bool is_surroundings = error.kind() == ErrorKind::Run;
    return {is_surroundings ? RunOutcome::Interrupted : RunOutcome::Refused, error.what(), error.kind()};
  }
}

}  // namespace

fs::path study_lock_file(const fs::path& study_folder) { return study_folder / "normscope.lock"; }

RunResult run_item(const RunRecipe& run, RunContext& context) {
  const auto claim = claim_run(context.store, context.store.run(run.id));
  if (!claim) return {RunOutcome::Elsewhere, ""};
  // It may have ended between the first look and the claim.
  const auto now = context.store.run(run.id);
  if (now.state == RunState::Done) return {RunOutcome::Done, ""};
  if (now.state == RunState::Failed) return {RunOutcome::Failed, now.error};
  remove_partial_files(context.runs_folder / run.id);
  context.store.set_state(run.id, RunState::Running);
  auto result = attempt(run, context);
  try {
    if (result.outcome == RunOutcome::Failed) context.store.set_state(run.id, RunState::Failed, result.error);
    if (result.outcome != RunOutcome::Failed && result.outcome != RunOutcome::Done)
      context.store.set_state(run.id, RunState::Waiting, result.error);
  } catch (const Error& error) {
    // A full disk may keep even that from being stored. Without a claim "running" reads as waiting.
    if (result.error.empty()) result = {RunOutcome::Interrupted, error.what(), error.kind()};
  }
  context.progress.run_ended(run.id);
  return result;
}

void note_result(const std::string& run_id, const RunResult& result, Progress& progress) {
  const std::string run = "run " + run_id;
  if (result.outcome == RunOutcome::Failed) progress.note("", run + " failed: " + result.error);
  if (result.outcome == RunOutcome::Interrupted)
    progress.note("", run + " was interrupted and will go on where it was: " + result.error);
  if (result.outcome == RunOutcome::Elsewhere)
    progress.note("", run + " is being trained by another normscope process");
}

}  // namespace normscope
