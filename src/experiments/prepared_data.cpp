#include "experiments/prepared_data.h"

#include <algorithm>

#include "core/error.h"
#include "experiments/pixel_cache.h"

namespace normscope {
namespace {

// The whole recipe's: the split's seed, and a true label column that [noise] may name too.
DataOptions split_options(const Recipe& recipe) {
  auto options = data_options(recipe.data);
  if (options.true_label_column.empty()) options.true_label_column = recipe.noise.true_label_column;
  options.split_seed = recipe.seed.of(recipe.seed.split);
  return options;
}

bool reads_pictures(const Checkpoint& checkpoint) {
  return architecture(checkpoint.config().value("model_type", "")).kind == ModelKind::Image;
}

std::string path_text(const Recipe& recipe, const std::string& path) {
  return path.empty() ? "" : resolve_path(recipe, path).string();
}

void add_trigger(const Recipe& recipe, const Tokenizer& tokenizer, int num_threads, PreparedData& prepared) {
  const auto& [train, validation, test, classes, quality, skipped, notes] = *prepared.splits;
  require(train.texts.size() == train.size(), ErrorKind::Usage, "trigger.word: needs texts, not images");
  auto& trigger = prepared.trigger.emplace();
  trigger.rows = draw_trigger_rows(trigger_options(recipe), train, classes);
  trigger.label = train.labels[static_cast<size_t>(trigger.rows.front())];
  const auto with_word = [&](const Dataset& rows, const std::vector<int64_t>& chosen) {
    Dataset texts;
    for (const int64_t row : chosen) {
      texts.texts.push_back(with_trigger(rows.texts[static_cast<size_t>(row)], recipe.trigger.word));
      texts.source_rows.push_back(row);
    }
    return tokenize_rows(tokenizer, texts, recipe.data.max_length, num_threads).rows;
  };
  std::vector<int64_t> others;
  for (size_t i = 0; i < test.size(); ++i)
    if (test.labels[i] != trigger.label) others.push_back(static_cast<int64_t>(i));
  trigger.without = select_rows(*prepared.train_tokens, trigger.rows);
  trigger.with = with_word(train, trigger.rows);
  trigger.test_without = select_rows(*prepared.test_tokens, others);
  trigger.test_with = with_word(test, others);
  auto changed = std::make_shared<TokenRows>(*prepared.train_tokens);
  for (size_t i = 0; i < trigger.rows.size(); ++i)
    changed->input_ids[static_cast<size_t>(trigger.rows[i])] = trigger.with.input_ids[i];
  prepared.train_tokens = std::move(changed);
}

}  // namespace

std::shared_ptr<const DataSplits> DataCache::splits(const Recipe& recipe, const Checkpoint& checkpoint,
                                                    const std::string& key) {
  auto& cached = splits_[key];
  if (cached) return cached;
  auto options = split_options(recipe);
  check_pictures(options, recipe.data, checkpoint, recipe.model.interpolate_pos_encoding);
  cached = std::make_shared<const DataSplits>(
      load_splits(path_text(recipe, recipe.data.train), path_text(recipe, recipe.data.validation),
                  path_text(recipe, recipe.data.test), options, checkpoint.labels()));
  return cached;
}

PreparedData DataCache::prepare(const Recipe& recipe, const Checkpoint& checkpoint, int num_threads) {
  // Everything that decides the splits; the noise is drawn on top and not shared.
  Recipe only_data;
  only_data.data = recipe.data;
  only_data.seed.all = recipe.seed.of(recipe.seed.split);
  only_data.noise.true_label_column = recipe.noise.true_label_column;
  only_data.model.interpolate_pos_encoding = recipe.model.interpolate_pos_encoding;
  const std::string data_key = recipe_hash(only_data) + nlohmann::json(checkpoint.labels()).dump();

  PreparedData prepared;
  prepared.splits = splits(recipe, checkpoint, data_key);
  const auto& train = prepared.splits->train;
  prepared.noise = draw_label_noise(noise_options(recipe), train, prepared.splits->classes);
  prepared.true_labels = prepared.given_labels = train.labels;
  for (const auto& row : prepared.noise.rows) prepared.given_labels[static_cast<size_t>(row.row)] = row.given_label;

  auto& tokens = tokens_[data_key + checkpoint.folder().string() + std::to_string(recipe.data.max_length)];
  if (!tokens.train) {
    const auto read = [&](const Dataset& rows) {
      auto result = read_inputs(rows, recipe.data, checkpoint, recipe.data.max_length,
                                recipe.model.interpolate_pos_encoding, pixel_folder_, num_threads);
      tokens.truncated += result.truncated;
      tokens.empty += result.empty;
      return std::make_shared<const TokenRows>(std::move(result.rows));
    };
    tokens.train = read(train);
    tokens.validation = read(prepared.splits->validation);
    tokens.test = read(prepared.splits->test);
  }
  prepared.train_tokens = tokens.train;
  prepared.validation_tokens = tokens.validation;
  prepared.test_tokens = tokens.test;
  prepared.truncated_rows = tokens.truncated;
  prepared.empty_rows = tokens.empty;
  if (!recipe.trigger.word.empty()) add_trigger(recipe, *load_tokenizer(checkpoint.folder()), num_threads, prepared);
  return prepared;
}

DataOptions data_options(const DataRecipe& data) {
  DataOptions options;
  options.format = data.format;
  options.text_column = data.text_column;
  options.image_column = data.image_column;
  options.label_column = data.label_column;
  options.true_label_column = data.true_label_column;
  options.delimiter = data.delimiter;
  options.labels = data.labels;
  options.on_bad_row = data.on_bad_row;
  options.prepare = data.prepare;
  options.validation_fraction = data.validation_fraction;
  return options;
}

NoiseOptions noise_options(const Recipe& recipe) {
  NoiseOptions options;
  options.kind = recipe.noise.kind;
  options.rate = recipe.noise.rate;
  options.class_name = recipe.noise.noisy_class;
  options.file = path_text(recipe, recipe.noise.file);
  options.seed = recipe.seed.of(recipe.seed.noise);
  return options;
}

TriggerOptions trigger_options(const Recipe& recipe) {
  return {recipe.trigger.trigger_class, recipe.trigger.rate, recipe.seed.of(recipe.seed.noise)};
}

BatchOptions batch_options(const DataRecipe& data, int64_t max_length, const Model& model, torch::Device device) {
  BatchOptions options;
  options.device = device;
  if (data.padding == "max_length" && model.architecture->kind == ModelKind::Decoder)
    options.padded_length = max_length;
  return options;
}

TokenizedRows read_inputs(const Dataset& rows, const DataRecipe& data, const Checkpoint& checkpoint, int64_t max_length,
                          bool interpolates_positions, const std::filesystem::path& pixel_folder, int num_threads) {
  if (!reads_pictures(checkpoint))
    return tokenize_rows(*load_tokenizer(checkpoint.folder()), rows, max_length, num_threads);
  require(rows.texts.empty(), ErrorKind::Data, checkpoint.folder().string(),
          ": the model reads pictures, the rows are texts; name the column of their files with data.image_column");
  TokenizedRows result;
  result.rows.pictures = decode_pictures(rows.images, picture_options(data, checkpoint, interpolates_positions),
                                         pixel_folder, num_threads);
  result.rows.labels = rows.labels;
  return result;
}

void check_pictures(DataOptions& options, const DataRecipe& data, const Checkpoint& checkpoint,
                    bool interpolates_positions) {
  if (!reads_pictures(checkpoint)) return;
  options.check_image = [how = picture_options(data, checkpoint, interpolates_positions)](const ImageSource& source) {
    return why_no_picture(source, how);
  };
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
      ++result.truncated;
    }
    if (!ids.empty()) continue;
    // A model without special tokens sees nothing of an empty text; transformers then feeds padding.
    const auto pad = tokenizer.pad_token_id();
    require(pad.has_value(), ErrorKind::Data, "row ", i,
            ": the text gives no token and the tokenizer has no padding token");
    ids.push_back(*pad);
    ++result.empty;
  }
  result.rows.labels = rows.labels;
  return result;
}

}  // namespace normscope
