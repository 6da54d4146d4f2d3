// The process of a study that hands runs to workers and shows what they do.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <list>

#include "core/error.h"
#include "experiments/worker.h"
#include "experiments/worker_messages.h"
#include "storage/claims.h"

extern char** environ;

namespace normscope {
namespace {

constexpr int kMillisecondsBetweenLooks = 200;

// One child and the pipes to it.
class Worker {
 public:
  explicit Worker(const std::vector<std::string>& command);
  ~Worker();
  Worker(const Worker&) = delete;

  void send(const std::string& line);  // a worker that is gone is noticed by its events' end
  void end_input();
  void stop() const { ::kill(process_, SIGTERM); }
  int events() const { return events_; }

  // Reads what is there and hands over whole lines. False at the end.
  bool read(const std::function<void(std::string_view)>& take);
  int wait();  // for its end: the status of waitpid

  std::optional<size_t> run;  // that it has at hand
  bool is_leaving = false;    // takes no more runs

 private:
  pid_t process_ = -1;
  int input_ = -1, events_ = -1;
  std::string buffer_;
};

Worker::Worker(const std::vector<std::string>& command) {
  int input[2], events[2];
  const bool has_pipes = ::pipe2(input, O_CLOEXEC) == 0 && ::pipe2(events, O_CLOEXEC) == 0;
  require(has_pipes, ErrorKind::Run, "a worker cannot be started: ", std::strerror(errno));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, events[1], STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  // This very program, even where the file was replaced since it started.
  const int failure = ::posix_spawn(&process_, "/proc/self/exe", &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(input[0]);
  ::close(events[1]);
  input_ = input[1];
  events_ = events[0];
  if (failure == 0) return;
  ::close(input_);
  ::close(events_);
  throw Error(ErrorKind::Run, std::string("a worker cannot be started: ") + std::strerror(failure));
}

Worker::~Worker() {
  end_input();
  ::close(events_);
  if (process_ > 0) wait();
}

void Worker::send(const std::string& line) {
  const std::string text = line + "\n";
  for (size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(input_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    done += static_cast<size_t>(written);
  }
}

void Worker::end_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

bool Worker::read(const std::function<void(std::string_view)>& take) {
  char bytes[1 << 16];
  const ssize_t got = ::read(events_, bytes, sizeof bytes);
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) return false;
  buffer_.append(bytes, static_cast<size_t>(got));
  size_t begin = 0, end = 0;
  while ((end = buffer_.find('\n', begin)) != std::string::npos) {
    take(std::string_view(buffer_).substr(begin, end - begin));
    begin = end + 1;
  }
  buffer_.erase(0, begin);
  return true;
}

int Worker::wait() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

std::string end_in_words(int status) {
  if (!WIFSIGNALED(status)) return "its process ended by itself";
  const int signal = WTERMSIG(status);
  return "its process was ended by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")" +
         (signal == SIGKILL ? "; the system kills when memory is short" : "");
}

class WorkerPool {
 public:
  WorkerPool(StudySession& session, RunSchedule& schedule, const std::vector<std::string>& command, Progress& progress)
      : session_(session), schedule_(schedule), command_(command), progress_(progress) {}

  void run(int64_t jobs, const std::function<bool()>& should_stop) {
    for (int64_t i = 0; i < jobs; ++i) start();
    while (!workers_.empty()) {
      if (should_stop() || refusal_) stop();
      hand_out();
      look();
    }
    if (refusal_) throw *refusal_;
  }

 private:
  void start() {
    const auto& recipe = session_.runs.front().recipe;
    workers_.emplace_back(command_).send(
        to_line(WorkerTask{session_.study.recipe, recipe.source.origin, std::filesystem::absolute(session_.folder)}));
  }

  void stop() {
    if (is_stopping_) return;
    is_stopping_ = true;
    for (auto& worker : workers_) {
      worker.stop();
      worker.end_input();
    }
  }

  void hand_out() {
    if (is_stopping_) return;
    const auto is_held = [&](size_t run) {
      return is_claimed(session_.store, session_.store.run(session_.runs[run].id));
    };
    for (auto& worker : workers_) {
      if (worker.run || worker.is_leaving) continue;
      worker.run = schedule_.next(is_held);
      if (worker.run) worker.send(std::to_string(*worker.run));
      if (!worker.run && !schedule_.has_more()) worker.end_input();
    }
  }

  // Waits a moment for events, and takes them.
  void look() {
    std::vector<struct pollfd> polled;
    for (const auto& worker : workers_) polled.push_back({worker.events(), POLLIN, 0});
    if (::poll(polled.data(), polled.size(), kMillisecondsBetweenLooks) <= 0) return;
    size_t i = 0;
    for (auto worker = workers_.begin(); worker != workers_.end(); ++i) {
      const bool goes_on = polled[i].revents == 0 || worker->read([&](std::string_view line) { take(*worker, line); });
      if (goes_on) {
        ++worker;
        continue;
      }
      ended(*worker);
      worker = workers_.erase(worker);
    }
    // A worker that was killed is not replaced, for memory may be short; but the last one is: others were killed over
    // runs that can be tried again.
    if (workers_.empty() && !is_stopping_ && was_lost_ && schedule_.has_more()) start();
  }

  void take(Worker& worker, std::string_view line) {
    const auto answer = read_worker_line(line, progress_);
    if (!answer) return;
    worker.is_leaving = answer->is_last;
    report(worker, answer->result);
  }

  void report(Worker& worker, const RunResult& result) {
    if (!worker.run) return refuse(result);  // it could not even begin
    const auto& id = session_.runs[*worker.run].id;
    note_result(id, result, progress_);
    schedule_.report(*std::exchange(worker.run, std::nullopt), result.outcome);
    refuse(result);
  }

  void refuse(const RunResult& result) {
    if (result.outcome == RunOutcome::Refused && !refusal_) refusal_.emplace(result.kind, result.error);
  }

  void ended(Worker& worker) {
    const int status = worker.wait();
    if (!worker.run) return;
    was_lost_ = true;
    report(worker, {is_stopping_ ? RunOutcome::Stopped : RunOutcome::Interrupted, end_in_words(status)});
  }

  StudySession& session_;
  RunSchedule& schedule_;
  const std::vector<std::string>& command_;
  Progress& progress_;
  std::list<Worker> workers_;
  bool is_stopping_ = false, was_lost_ = false;
  std::optional<Error> refusal_;
};

}  // namespace

void run_in_workers(StudySession& session, RunSchedule& schedule, int64_t jobs, const std::vector<std::string>& command,
                    const std::function<bool()>& should_stop, Progress& progress) {
  ::signal(SIGPIPE, SIG_IGN);  // a worker that died is noticed by the end of its events
  WorkerPool(session, schedule, command, progress).run(jobs, should_stop);
}

}  // namespace normscope
