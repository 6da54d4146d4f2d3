// What the study's authors logged: accuracies and noisy rows by epoch of every run, gradient norms by layer.
#pragma once
#include <map>
#include <string_view>
#include <vector>

#include "reports/study_view.h"

namespace normscope {

// A checkpoint of the study. Sources: study.md 2.4; epochs: the paper reads Post-LN models after 40, Pre-LN after 70.
struct PaperModel {
  std::string_view checkpoint, name;  // last part of the hub's name; the paper's word
  std::string_view model_type;        // config.json's
  int64_t num_hidden_layers, hidden_size;
  std::string_view placement;

  int64_t published_epoch() const { return placement == "pre_norm" ? 70 : 40; }
};

struct PaperRun {
  // Recipe, facts of the data and the clean training accuracy were not logged; the first epoch is 1.
  RunView view;
  int64_t noise_draw = 0;   // runs of one data set with the same number have the same noisy rows
  int64_t noisy_class = 0;  // as the authors number them
  bool is_extra = false;    // none of those behind the paper's means: 200 epochs, or another noisy class
};

// The authors' norms of mean absolute gradients (study.md 4), of one model with all its norms, by layer; a role that
// was not logged is absent.
struct PaperGradients {
  std::map<std::string, std::vector<double>> learning, memorization;  // by role
  std::map<std::string, std::vector<double>> deviation;               // of the norm's mean input, by role
  std::map<int64_t, std::vector<double>> by_epoch;                    // learning at the attention norm of a layer
  bool empty() const { return learning.empty(); }
};

struct PaperUnit {
  std::string dataset;  // the preparation's name
  const PaperModel* model = nullptr;
  std::vector<PaperRun> runs;
  PaperGradients gradients;

  std::string title() const;  // "BERT on Emotions"
  bool is_published() const;  // CIFAR-100 and GPT-2 small are in the authors' repository only
  std::vector<const PaperRun*> with(const std::string& norm_selection) const;  // without the extra ones
  std::vector<std::string> selections() const;                                 // intact first
  Unit unit() const;  // what tables and figures of a study take; points into `runs`
};

struct PaperLogs {
  std::vector<PaperUnit> units;

  PaperLogs() = default;
  PaperLogs(PaperLogs&&) = default;
};

// The form is described at the head of paper_logs.txt. Throws Error(Data) with the line.
PaperLogs parse_paper_logs(std::string_view text);

// paper_logs.txt, which is a part of the program.
const PaperLogs& paper_logs();

std::string paper_dataset_name(const std::string& dataset);  // "Emotions", "CIFAR-10", ...

}  // namespace normscope
