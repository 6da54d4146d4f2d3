#include "cli/stop_signals.h"

#include <unistd.h>

#include <csignal>

namespace normscope {
namespace {

constexpr int kInterrupted = 130;
constexpr int kResumable = 75;  // sysexits' EX_TEMPFAIL

volatile std::sig_atomic_t caught = 0;

void remember(int signal) {
  if (signal == SIGINT && caught == SIGINT) ::_exit(kInterrupted);
  caught = signal;
}

}  // namespace

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) ::sigaction(signal, &action, nullptr);
}

bool stop_requested() { return caught != 0; }

int stop_exit_code() { return caught == SIGINT ? kInterrupted : kResumable; }

}  // namespace normscope
