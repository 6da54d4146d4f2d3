#include "experiments/input_reader.h"

#include "core/error.h"
#include "experiments/token_cache.h"
#include "models/model.h"

namespace normscope {

InputReader::InputReader(const DataRecipe& data, const Checkpoint& checkpoint, bool interpolates_positions,
                         int num_threads)
    : checkpoint_(checkpoint), num_threads_(num_threads) {
  if (architecture(checkpoint.config().value("model_type", "")).kind == ModelKind::Image)
    pictures_ = picture_options(data, checkpoint, interpolates_positions);
}

void InputReader::check_pictures(DataOptions& options) const {
  if (!pictures_) return;
  options.check_image = [how = *pictures_](const ImageSource& source) { return why_no_picture(source, how); };
}

TokenizedRows InputReader::read(const Dataset& rows, int64_t max_length, const std::filesystem::path& cache_folder) {
  if (!pictures_) {
    const auto tokenize = [&] { return tokenize_rows(tokenizer(), rows, max_length, num_threads_); };
    if (cache_folder.empty()) return tokenize();
    return cached_tokens(rows, tokenizer_files(checkpoint_.folder()), max_length, cache_folder / "tokens", tokenize);
  }
  require(rows.texts.empty(), ErrorKind::Data, checkpoint_.folder().string(),
          ": the model reads pictures, the rows are texts; name the column of their files with data.image_column");
  TokenizedRows result;
  const auto pixel_folder = cache_folder.empty() ? cache_folder : cache_folder / "pixels";
  result.rows.pictures = decode_pictures(rows.images, *pictures_, pixel_folder, num_threads_);
  result.rows.labels = rows.labels;
  return result;
}

const Tokenizer& InputReader::tokenizer() {
  if (!tokenizer_) tokenizer_ = load_tokenizer(checkpoint_.folder());
  return *tokenizer_;
}

std::optional<Preprocessing> InputReader::preprocessing() const {
  if (!pictures_) return std::nullopt;
  return pictures_->preprocessing;
}

TokenizedRows tokenize_rows(const Tokenizer& tokenizer, const Dataset& rows, int64_t max_length, int num_threads) {
  require(!rows.has_images(), ErrorKind::Data, "the rows are pictures; a model with a tokenizer reads texts");
  TokenizedRows result;
  const auto limit = static_cast<size_t>(max_length);
  // One token past the limit tells which rows are cut, without a second pass.
  result.rows.input_ids = encode_rows(tokenizer, rows.texts, limit + 1, num_threads);
  for (size_t i = 0; i < rows.size(); ++i) {
    auto& ids = result.rows.input_ids[i];
    if (ids.size() > limit) {
      ids = tokenizer.encode_ids(rows.texts[i], limit);
      result.truncated.push_back(static_cast<int64_t>(i));
    }
    if (!ids.empty()) continue;
    // A model without special tokens sees nothing of an empty text; transformers then feeds padding.
    const auto pad = tokenizer.pad_token_id();
    require(pad.has_value(), ErrorKind::Data, "row ", i,
            ": the text gives no token and the tokenizer has no padding token");
    ids.push_back(*pad);
    result.empty.push_back(static_cast<int64_t>(i));
  }
  result.rows.labels = rows.labels;
  return result;
}

}  // namespace normscope
