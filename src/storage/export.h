// Results in files that other programs read: a run's metrics, a whole study.
#pragma once
#include <filesystem>
#include <ostream>

#include "storage/run_store.h"

namespace normscope {

// metrics.csv and metrics.jsonl in a run's folder, complete or as they were. Throws Error(Run).
void write_run_metrics(const RunStore& store, const std::string& id, const std::filesystem::path& folder);

// One row a run and epoch: run, name, model, placement, norm_selection, seed, then the columns of
// metrics.csv.
void export_csv(const RunStore& store, std::ostream& out);

// The same rows as JSON lines; each also holds "readings" (of norms) and "noisy_predictions" of its epoch
// when there are any.
void export_jsonl(const RunStore& store, std::ostream& out);

}  // namespace normscope
