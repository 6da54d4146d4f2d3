#include "experiments/study.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/error.h"
#include "experiments/jobs.h"
#include "experiments/run_schedule.h"
#include "experiments/study_session.h"
#include "experiments/worker.h"
#include "storage/claims.h"

namespace normscope {
namespace {

// Done ones, and failed ones that nobody asked to try again.
std::vector<size_t> ended_runs(const StudySession& session) {
  std::vector<size_t> ended;
  for (size_t i = 0; i < session.runs.size(); ++i) {
    const auto state = session.store.run(session.runs[i].id).state;
    if (state == RunState::Done || state == RunState::Failed) ended.push_back(i);
  }
  return ended;
}

void run_one_by_one(StudySession& session, RunSchedule& schedule, const StudyOptions& options, Progress& progress) {
  DataCache cache(session.folder / "cache");
  auto context = run_context(session, cache, progress, options.should_stop);
  const auto is_held = [&](size_t run) { return is_claimed(session.store, session.store.run(session.runs[run].id)); };
  while (schedule.has_more() && !options.should_stop()) {
    const auto next = schedule.next(is_held);
    if (!next) {  // what is left another process has
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      continue;
    }
    const auto& run = session.runs[*next];
    context.index = static_cast<int64_t>(*next);
    const auto result = run_item(run, context);
    note_result(run.id, result, progress);
    schedule.report(*next, result.outcome);
    if (result.outcome == RunOutcome::Refused) throw Error(result.kind, result.error);
    if (result.outcome == RunOutcome::Stopped) return;
  }
}

// By what is stored, so that it is the same whoever trained the runs.
StudyOutcome outcome_of(const StudySession& session, const RunSchedule& schedule) {
  bool has_failed = schedule.any(RunOutcome::Interrupted), is_done = true;
  for (const auto& run : session.runs) {
    const auto state = session.store.run(run.id).state;
    has_failed |= state == RunState::Failed;
    is_done &= state == RunState::Done || state == RunState::Failed;
  }
  if (is_done || schedule.any(RunOutcome::Interrupted))
    return has_failed ? StudyOutcome::SomeFailed : StudyOutcome::Done;
  return StudyOutcome::Stopped;
}

}  // namespace

StudyOutcome run_study(const Recipe& recipe, const StudyOptions& options, Progress& progress) {
  auto session = open_session(recipe, options);
  if (!session.note.empty()) progress.note("", session.note);
  RunSchedule schedule(session.runs.size(), ended_runs(session));
  for (const auto& run : session.runs) {
    const auto stored = session.store.run(run.id);
    if (stored.state == RunState::Failed)
      progress.note("", "run " + run.id + " failed earlier (" + stored.error + "); --retry tries it again");
  }
  const int64_t asked =
      options.jobs > 0 ? options.jobs : choose_jobs(session.runs, session.study.device, session.study.threads);
  const int64_t jobs = std::min(asked, static_cast<int64_t>(schedule.left()));
  if (jobs > 0)
    progress.study_started({static_cast<int64_t>(session.runs.size()), static_cast<int64_t>(schedule.left()), jobs,
                            session.study.threads});
  if (jobs > 1) {
    run_in_workers(session, schedule, jobs, options.worker_command, options.should_stop, progress);
  } else if (jobs == 1) {
    run_one_by_one(session, schedule, options, progress);
  }
  return options.should_stop() && schedule.has_more() ? StudyOutcome::Stopped : outcome_of(session, schedule);
}

}  // namespace normscope
