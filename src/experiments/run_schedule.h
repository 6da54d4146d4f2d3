// In which order a process hands out a study's runs, and what becomes of those that do not end well.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace normscope {

// Of one attempt at a run. Failed: by itself, and would again. Interrupted: by its surroundings (out of memory, full
// disk, killed); its state is kept. Elsewhere: another process has it. Refused: its recipe, data or checkpoint.
enum class RunOutcome { Done, Stopped, Failed, Interrupted, Elsewhere, Refused };

class RunSchedule {
 public:
  // Of `count` runs; those of `finished` are not handed out.
  RunSchedule(size_t count, const std::vector<size_t>& finished);

  // The next run to work on: waiting ones in order, then interrupted ones a second time, then those that were
  // elsewhere and are free now. Nothing: none at present; has_more() says whether to ask again.
  std::optional<size_t> next(const std::function<bool(size_t)>& is_held);
  void report(size_t run, RunOutcome outcome);

  bool has_more() const;  // whether a run may still be handed out, now or after others were reported
  size_t left() const;    // runs not done and not given up
  bool any(RunOutcome outcome) const;

 private:
  enum class Place { Waiting, Out, Ended };
  struct Entry {
    Place place = Place::Waiting;
    std::optional<RunOutcome> last;
    int interruptions = 0;
  };
  bool may_try_again(const Entry& entry) const;
  std::vector<Entry> entries_;
};

}  // namespace normscope
