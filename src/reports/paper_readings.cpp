// Reads the authors' runs; a pair of runs is read as the user's pairs are.
#include "reports/paper_readings.h"

#include <algorithm>

#include "reports/pairs.h"

namespace normscope {
namespace {

double last_epoch(const PaperRun& run) { return static_cast<double>(run.view.last().epoch); }

const PaperRun* intact_twin(const std::vector<const PaperRun*>& intact_runs, const PaperRun& run) {
  if (intact_runs.empty()) return nullptr;
  const auto twin = std::find_if(intact_runs.begin(), intact_runs.end(),
                                 [&](const auto* intact) { return intact->view.run.seed == run.view.run.seed; });
  return twin == intact_runs.end() ? intact_runs[0] : *twin;
}

void add(std::vector<EpochMetrics>& rows, std::vector<double>& epochs, const PaperRun& run, double epoch) {
  epochs.push_back(std::min(epoch, last_epoch(run)));
  rows.push_back(interpolate(run.view.epochs, epochs.back()));
}

}  // namespace

const char* to_text(PaperPoint point) {
  constexpr const char* kTexts[] = {"as published", "equal epochs", "matched fit"};
  return kTexts[static_cast<int>(point)];
}

std::vector<double> PaperReading::values(double EpochMetrics::*member) const {
  std::vector<double> values;
  for (const auto& row : removed) values.push_back(row.*member);
  return values;
}

std::vector<double> PaperReading::changes(double EpochMetrics::*member) const {
  std::vector<double> changes;
  for (size_t i = 0; i < intact.size(); ++i) changes.push_back(removed[i].*member - intact[i].*member);
  return changes;
}

PaperReading read_paper(const PaperUnit& unit, const std::string& norm_selection, PaperPoint point) {
  PaperReading reading;
  const auto intact_runs = unit.with("none");
  for (const auto* run : unit.with(norm_selection)) {
    const auto* intact = norm_selection == "none" ? nullptr : intact_twin(intact_runs, *run);
    double removed_epoch = last_epoch(*run), intact_epoch = 0;
    if (point == PaperPoint::Published) {
      removed_epoch = intact_epoch = static_cast<double>(unit.model->published_epoch());
    } else if (point == PaperPoint::EqualEpochs) {
      if (intact) removed_epoch = intact_epoch = std::min(removed_epoch, last_epoch(*intact));
    } else {
      if (!intact) continue;
      const auto removed_curve = curve(run->view, &EpochMetrics::train_accuracy);
      const auto intact_curve = curve(intact->view, &EpochMetrics::train_accuracy);
      const double target = std::min(removed_curve.back().value, intact_curve.back().value);
      removed_epoch = first_reaching(removed_curve, target);
      intact_epoch = first_reaching(intact_curve, target);
    }
    add(reading.removed, reading.removed_epochs, *run, removed_epoch);
    if (intact) add(reading.intact, reading.intact_epochs, *intact, intact_epoch);
  }
  return reading;
}

PaperReading read_paper_at(const PaperUnit& unit, const std::string& norm_selection, double epoch) {
  PaperReading reading;
  for (const auto* run : unit.with(norm_selection)) add(reading.removed, reading.removed_epochs, *run, epoch);
  return reading;
}

}  // namespace normscope
