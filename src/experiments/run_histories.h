// What became of the noisy rows, of their clean siblings and of the test rows of one run, as readings of every epoch.
#pragma once
#include <filesystem>
#include <optional>

#include "experiments/prepared_data.h"
#include "measurements/dynamics_records.h"
#include "measurements/logits.h"
#include "measurements/row_history.h"
#include "storage/run_store.h"

namespace normscope {

class RunHistories {
 public:
  explicit RunHistories(const PreparedData& data);

  // Epochs from 1 in order. `train`: logits of every training row as the epoch met it; `test`: of the test rows after
  // it.
  void follow(int64_t epoch, const Logits& train, const Logits& test);
  // The epochs up to `last` of dynamics.bin and test_dynamics.bin in the run's folder, for a run that goes on. A file
  // that has fewer is passed over, and what it would tell is told no more.
  void replay(const std::filesystem::path& folder, int64_t last);

  // By set, as splits: memorization (noisy rows, given labels), noisy_true (the same rows, true labels), clean_siblings
  // (training rows of the noisy rows' true classes that kept their label), test. Metrics: history_learned,
  // history_ever_learned, history_never_forgotten (%), history_first_learned_epoch, history_forgetting_events (means).
  std::vector<Reading> readings() const;

 private:
  struct Set {
    const char* name = "";
    bool is_test = false;
    std::vector<int64_t> rows = {};  // of the training or test rows
    std::vector<int> labels = {};    // one a row
    std::vector<RowHistory> histories = {};
    bool is_whole = true;
  };
  template <typename Prediction>
  void follow_sets(bool is_test, int64_t epoch, Prediction&& prediction);
  void replay_file(const std::filesystem::path& path, bool is_test, int64_t last);

  std::vector<Set> sets_;
};

}  // namespace normscope
