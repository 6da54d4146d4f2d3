// A process that trains runs which another one hands out.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "experiments/run_schedule.h"
#include "experiments/study_session.h"

namespace normscope {

// The worker: reads its task and the runs from the descriptor `in`, writes what happens to `out`. It asks to be told
// (SIGTERM) when the process that started it ends. Returns when the input ends or a run was stopped.
void work(int in, int out, const std::function<bool()>& should_stop);

// The other side: `jobs` workers train what the schedule hands out. `command` is this program's with the option that
// makes it a worker. When should_stop says so, workers save and end. Throws the first error that refuses a run.
void run_in_workers(StudySession& session, RunSchedule& schedule, int64_t jobs, const std::vector<std::string>& command,
                    const std::function<bool()>& should_stop, Progress& progress);

}  // namespace normscope
