// What the tests of storage share: a folder that is fresh for each test, and a run.
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "storage/run_store.h"

namespace normscope {

class FreshFolder : public testing::Test {
 protected:
  FreshFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "normscope_test_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~FreshFolder() override { std::filesystem::remove_all(folder_); }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

inline Run example_run(const std::string& id) {
  Run run;
  run.id = id;
  run.name = "bert, all \"removed\"";
  run.epochs = 10;
  run.seed = 28;
  run.model = "bert";
  run.placement = "post_norm";
  run.norm_selection = "all";
  run.recipe = "name = \"bert\"\n\n[norm]\nlayers = \"all\"\n";
  run.facts.dataset = "emotions";
  run.facts.labels = {"joy", "fear", "anger", "surprise"};
  run.facts.train_rows = 16000;
  run.facts.noisy_rows = 160;
  run.facts.removed_norms = {"bert.embeddings.LayerNorm", "bert.encoder.layer.0.output.LayerNorm"};
  run.facts.data_quality = {"3 rows are empty"};
  run.facts.more = {{"head", "transformers"}};
  return run;
}

// The exit status of a child, or -1 when it did not exit by itself.
inline int waitpid_status(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace normscope
