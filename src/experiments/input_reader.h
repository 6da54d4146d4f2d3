// How one checkpoint's model reads rows: texts become token ids, pictures become pixels.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>

#include "data/dataset.h"
#include "experiments/pixel_cache.h"
#include "tokenizers/tokenizer.h"
#include "training/batches.h"

namespace normscope {

struct TokenizedRows {
  TokenRows rows;
  std::vector<int64_t> truncated;  // rows cut to max_length
  std::vector<int64_t> empty;      // rows without any token, fed as one padding token
};
TokenizedRows tokenize_rows(const Tokenizer& tokenizer, const Dataset& rows, int64_t max_length, int num_threads);

class InputReader {
 public:
  // For a model that reads pictures throws as picture_options.
  InputReader(const DataRecipe& data, const Checkpoint& checkpoint, bool interpolates_positions, int num_threads);

  // Adds to the options that pictures are tried as they are read, where the model reads pictures.
  void check_pictures(DataOptions& options) const;

  // Texts are cut at max_length tokens. Ids and decoded pictures lie in files of `cache_folder`, made when they are not
  // there; without one ids are in memory, pictures in a file without a path. Throws Error(Data) where the rows are of
  // the other kind.
  TokenizedRows read(const Dataset& rows, int64_t max_length, const std::filesystem::path& cache_folder = {});

  const Tokenizer& tokenizer();  // loaded when it is first asked for
  std::optional<Preprocessing> preprocessing() const;

 private:
  Checkpoint checkpoint_;
  int num_threads_;
  std::optional<PictureOptions> pictures_;  // of models that read them
  std::shared_ptr<const Tokenizer> tokenizer_;
};

}  // namespace normscope
