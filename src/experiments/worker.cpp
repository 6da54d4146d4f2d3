#include "experiments/worker.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>

#include "experiments/failure.h"
#include "experiments/worker_messages.h"

namespace normscope {
namespace {

// Lines of a descriptor; waits for each.
class LineReader {
 public:
  explicit LineReader(int descriptor) : descriptor_(descriptor) {}
  std::optional<std::string> next() {
    size_t end = 0;
    while ((end = buffer_.find('\n')) == std::string::npos) {
      char bytes[4096];
      const ssize_t got = ::read(descriptor_, bytes, sizeof bytes);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return std::nullopt;
      buffer_.append(bytes, static_cast<size_t>(got));
    }
    auto line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    return line;
  }

 private:
  int descriptor_;
  std::string buffer_;
};

// False once nobody reads.
bool write_line(int descriptor, const std::string& line) {
  const std::string text = line + "\n";
  for (size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<size_t>(written);
  }
  return true;
}

}  // namespace

void work(int in, int out, const std::function<bool()>& should_stop) {
  ::signal(SIGPIPE, SIG_IGN);  // a parent that is gone is no reason to lose the run's state
  ::signal(SIGINT, SIG_IGN);   // a terminal sends it to every process of the group; the parent decides
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  bool has_parent = true;
  LineReader lines(in);
  const auto first = lines.next();
  if (!first) return;
  const auto stops = [&] { return should_stop() || !has_parent; };
  ProgressLines progress([&](const std::string& line) { has_parent = has_parent && write_line(out, line); });
  const auto answer = [&](const RunResult& result, bool is_last) {
    has_parent = write_line(out, to_line(WorkerAnswer{result, is_last})) && has_parent;
  };
  try {
    const auto task = task_from_line(*first);
    auto session = join_session(parse_recipe(task.recipe, task.origin), task.folder);
    DataCache cache(task.folder / "cache");
    auto context = run_context(session, cache, progress, stops);
    while (const auto line = lines.next()) {
      if (stops()) return answer({RunOutcome::Stopped, ""}, true);
      const auto index = static_cast<size_t>(std::stoul(*line));
      context.index = static_cast<int64_t>(index);
      const auto result = run_item(session.runs.at(index), context);
      const bool is_last = result.outcome == RunOutcome::Stopped;
      answer(result, is_last);
      if (is_last) return;
    }
  } catch (const std::exception& failure) {
    const auto error = to_error(failure);
    const bool is_surroundings = error.kind() == ErrorKind::Run;
    answer({is_surroundings ? RunOutcome::Interrupted : RunOutcome::Refused, error.what(), error.kind()}, true);
  }
}

}  // namespace normscope
