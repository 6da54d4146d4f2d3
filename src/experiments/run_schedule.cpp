#include "experiments/run_schedule.h"

#include <algorithm>
#include <cassert>

namespace normscope {
namespace {

// What another run's memory has caused may pass once that run is over; what comes back a second time is left alone.
constexpr int kMostInterruptions = 2;

}  // namespace

RunSchedule::RunSchedule(size_t count, const std::vector<size_t>& finished) : entries_(count) {
  for (const size_t run : finished) entries_[run] = {Place::Ended, RunOutcome::Done};
}

bool RunSchedule::may_try_again(const Entry& entry) const {
  return entry.place == Place::Waiting && entry.last == RunOutcome::Interrupted &&
         entry.interruptions < kMostInterruptions;
}

std::optional<size_t> RunSchedule::next(const std::function<bool(size_t)>& is_held) {
  const auto take = [&](auto&& wanted) -> std::optional<size_t> {
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (!wanted(i)) continue;
      entries_[i].place = Place::Out;
      return i;
    }
    return std::nullopt;
  };
  if (const auto run = take([&](size_t i) { return entries_[i].place == Place::Waiting && !entries_[i].last; }))
    return run;
  if (const auto run = take([&](size_t i) { return may_try_again(entries_[i]); })) return run;
  return take([&](size_t i) {
    return entries_[i].place == Place::Waiting && entries_[i].last == RunOutcome::Elsewhere && !is_held(i);
  });
}

void RunSchedule::report(size_t run, RunOutcome outcome) {
  auto& entry = entries_[run];
  assert(entry.place == Place::Out);
  entry.last = outcome;
  if (outcome == RunOutcome::Interrupted) ++entry.interruptions;
  const bool waits = outcome == RunOutcome::Elsewhere ||
                     (outcome == RunOutcome::Interrupted && entry.interruptions < kMostInterruptions);
  entry.place = waits ? Place::Waiting : Place::Ended;
}

bool RunSchedule::has_more() const {
  return std::ranges::any_of(entries_, [](const Entry& entry) { return entry.place != Place::Ended; });
}

size_t RunSchedule::left() const {
  return static_cast<size_t>(
      std::ranges::count_if(entries_, [](const Entry& entry) { return entry.place != Place::Ended; }));
}

bool RunSchedule::any(RunOutcome outcome) const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) { return entry.last == outcome; });
}

}  // namespace normscope
