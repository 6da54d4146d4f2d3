// One attempt at one run of a study, claimed so that no other process works on it meanwhile.
#pragma once
#include <string>

#include "core/error.h"
#include "experiments/run.h"
#include "experiments/run_schedule.h"

namespace normscope {

struct RunResult {
  RunOutcome outcome;
  std::string error;                // why it failed, was interrupted or refused
  ErrorKind kind = ErrorKind::Run;  // of the error
};

// Runs it unless it is finished or another process has it, and stores how it ended. Of a run's own errors throws none.
RunResult run_item(const RunRecipe& run, RunContext& context);

// Tells the user of a result that is not simply done.
void note_result(const std::string& run_id, const RunResult& result, Progress& progress);

}  // namespace normscope
