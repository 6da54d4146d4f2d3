// A recipe's data ready for training: splits, label noise, token ids or pixels.
#pragma once
#include <map>
#include <memory>
#include <optional>

#include "data/dataset.h"
#include "data/folds.h"
#include "data/label_noise.h"
#include "data/trigger.h"
#include "experiments/input_reader.h"
#include "recipe/recipe.h"

namespace normscope {

// The rows with the trigger word, and what is asked of it: each text without and with the word.
struct TriggerRows {
  int label = 0;
  std::vector<int64_t> rows;          // of the training set, in drawn order
  TokenRows without, with;            // those rows
  TokenRows test_without, test_with;  // the test rows of other classes
};

struct PreparedData {
  std::shared_ptr<const DataSplits> splits;
  LabelNoise noise;
  std::vector<int> true_labels, given_labels;                                     // of the training rows
  std::shared_ptr<const TokenRows> train_tokens, validation_tokens, test_tokens;  // labels: the true ones
  std::optional<TriggerRows> trigger;
  std::optional<Preprocessing> preprocessing;         // of pictures
  int64_t truncated_rows = 0, empty_rows = 0;         // of all splits
  std::vector<int64_t> truncated_train, empty_train;  // of the training rows, ascending
  std::vector<int64_t> kept_rows,
      held_out_rows;  // with data.folds: training and test rows in the undivided training set
};

// How [data] reads files; splits and labels that come from elsewhere are the caller's to add.
DataOptions data_options(const DataRecipe& data);
// The rows as the recipe reads and splits them; with `reader`, pictures are tried too.
DataSplits load_recipe_splits(const Recipe& recipe, const Checkpoint& checkpoint, const InputReader* reader = nullptr);
NoiseOptions noise_options(const Recipe& recipe);
TriggerOptions trigger_options(const Recipe& recipe);

// The folds of a whole training set, stratified by given label. Throws as stratified_folds.
Folds folds_of(const PreparedData& whole, int64_t num_folds, int64_t split_seed);

// How rows of at most `max_length` tokens become this model's batches: data.padding = "max_length" shifts the positions
// of decoders, which the study pads on the left.
BatchOptions batch_options(const DataRecipe& data, int64_t max_length, const Model& model, torch::Device device);

// What several runs of a grid share, so that files are read, texts tokenised and pictures decoded once.
class DataCache {
 public:
  // Token ids and decoded pictures lie in files of `folder`, where other processes find them too; "": in memory, and in
  // a file without a name.
  explicit DataCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // With data.folds the fold's rows, with their given labels, are the test rows. Throws Error(Data), Error(Usage).
  PreparedData prepare(const Recipe& recipe, const Checkpoint& checkpoint, int num_threads);

 private:
  std::shared_ptr<const DataSplits> splits(const Recipe& recipe, const Checkpoint& checkpoint,
                                           const InputReader& reader, const std::string& key);
  struct Tokens {
    std::shared_ptr<const TokenRows> train, validation, test;
    int64_t truncated = 0, empty = 0;
    std::vector<int64_t> truncated_train, empty_train;
  };
  std::filesystem::path folder_;
  std::map<std::string, std::shared_ptr<const DataSplits>> splits_;
  std::map<std::string, Tokens> tokens_;
};

}  // namespace normscope
