// SIGINT, SIGTERM and SIGUSR1 as a wish to stop after the current step.
#pragma once

namespace normscope {

// The first signal is remembered; a second SIGINT ends the process at once with code 130.
void catch_stop_signals();
bool stop_requested();
// 130 after SIGINT, 75 (resumable) after SIGTERM or SIGUSR1.
int stop_exit_code();

}  // namespace normscope
