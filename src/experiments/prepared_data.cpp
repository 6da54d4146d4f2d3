#include "experiments/prepared_data.h"

#include <algorithm>

#include "core/error.h"

namespace normscope {
namespace {

// The whole recipe's: the split's seed, and a true label column that [noise] may name too.
DataOptions split_options(const Recipe& recipe) {
  auto options = data_options(recipe.data);
  if (options.true_label_column.empty() && recipe.noise.column.empty())
    options.true_label_column = recipe.noise.true_label_column;
  options.split_seed = recipe.seed.of(recipe.seed.split);
  return options;
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
  auto changed = std::make_shared<TokenRows>();
  changed->labels = prepared.train_tokens->labels;
  for (int64_t row = 0; row < prepared.train_tokens->count(); ++row) {
    const auto ids = prepared.train_tokens->ids(row);
    changed->input_ids.emplace_back(ids.begin(), ids.end());
  }
  for (size_t i = 0; i < trigger.rows.size(); ++i)
    changed->input_ids[static_cast<size_t>(trigger.rows[i])] = trigger.with.input_ids[i];
  prepared.train_tokens = std::move(changed);
}

// Rows outside the fold train, those inside test; nothing is read or tokenised again.
PreparedData take_fold(const PreparedData& whole, const Recipe& recipe) {
  const auto folds = folds_of(whole, recipe.data.folds, recipe.seed.of(recipe.seed.split));
  PreparedData part = whole;
  std::vector<int64_t> place(folds.of_row.size(), -1);
  for (size_t i = 0; i < folds.of_row.size(); ++i) {
    const bool is_held_out = folds.of_row[i] == recipe.data.fold - 1;
    auto& rows = is_held_out ? part.held_out_rows : part.kept_rows;
    if (!is_held_out) place[i] = static_cast<int64_t>(rows.size());
    rows.push_back(static_cast<int64_t>(i));
  }
  auto splits = std::make_shared<DataSplits>(*whole.splits);
  splits->train = take_rows(whole.splits->train, part.kept_rows);
  splits->test = take_rows(whole.splits->train, part.held_out_rows);
  splits->test.given_labels.clear();
  splits->quality = {};
  splits->notes.insert(splits->notes.end(), folds.warnings.begin(), folds.warnings.end());
  const auto pick = [](const std::vector<int>& labels, const std::vector<int64_t>& rows) {
    std::vector<int> picked;
    for (const int64_t row : rows) picked.push_back(labels[static_cast<size_t>(row)]);
    return picked;
  };
  part.true_labels = pick(whole.true_labels, part.kept_rows);
  part.given_labels = pick(whole.given_labels, part.kept_rows);
  splits->test.labels = pick(whole.given_labels, part.held_out_rows);
  part.noise.rows.clear();
  for (auto row : whole.noise.rows) {
    row.row = place[static_cast<size_t>(row.row)];
    if (row.row >= 0) part.noise.rows.push_back(row);
  }
  part.train_tokens = std::make_shared<TokenRows>(select_rows(*whole.train_tokens, part.kept_rows));
  auto test = select_rows(*whole.train_tokens, part.held_out_rows);
  test.labels = splits->test.labels;
  part.test_tokens = std::make_shared<TokenRows>(std::move(test));
  part.splits = std::move(splits);
  part.truncated_train = part.empty_train = {};
  return part;
}

}  // namespace

std::shared_ptr<const DataSplits> DataCache::splits(const Recipe& recipe, const Checkpoint& checkpoint,
                                                    const InputReader& reader, const std::string& key) {
  auto& cached = splits_[key];
  if (cached) return cached;
  cached = std::make_shared<const DataSplits>(load_recipe_splits(recipe, checkpoint, &reader));
  return cached;
}

PreparedData DataCache::prepare(const Recipe& recipe, const Checkpoint& checkpoint, int num_threads) {
  if (recipe.data.folds > 0) {
    Recipe whole = recipe;
    whole.data.folds = whole.data.fold = 0;
    return take_fold(prepare(whole, checkpoint, num_threads), recipe);
  }
  // Everything that decides the splits; the noise is drawn on top and not shared.
  Recipe only_data;
  only_data.data = recipe.data;
  only_data.seed.all = recipe.seed.of(recipe.seed.split);
  only_data.noise.true_label_column = recipe.noise.true_label_column;
  only_data.noise.column = recipe.noise.column;
  only_data.model.interpolate_pos_encoding = recipe.model.interpolate_pos_encoding;
  const std::string data_key = recipe_hash(only_data) + nlohmann::json(checkpoint.labels()).dump();

  PreparedData prepared;
  InputReader reader(recipe.data, checkpoint, recipe.model.interpolate_pos_encoding, num_threads);
  prepared.preprocessing = reader.preprocessing();
  prepared.splits = splits(recipe, checkpoint, reader, data_key);
  const auto& train = prepared.splits->train;
  prepared.noise = draw_label_noise(noise_options(recipe), train, prepared.splits->classes);
  prepared.true_labels = prepared.given_labels = train.labels;
  for (const auto& row : prepared.noise.rows) prepared.given_labels[static_cast<size_t>(row.row)] = row.given_label;

  auto& tokens = tokens_[data_key + checkpoint.folder().string() + std::to_string(recipe.data.max_length)];
  if (!tokens.train) {
    const auto read = [&](const Dataset& rows) {
      auto result = reader.read(rows, recipe.data.max_length, folder_);
      tokens.truncated += static_cast<int64_t>(result.truncated.size());
      tokens.empty += static_cast<int64_t>(result.empty.size());
      if (&rows == &train) {
        tokens.truncated_train = result.truncated;
        tokens.empty_train = result.empty;
      }
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
  prepared.truncated_train = tokens.truncated_train;
  prepared.empty_train = tokens.empty_train;
  if (!recipe.trigger.word.empty()) add_trigger(recipe, reader.tokenizer(), num_threads, prepared);
  return prepared;
}

DataSplits load_recipe_splits(const Recipe& recipe, const Checkpoint& checkpoint, const InputReader* reader) {
  auto options = split_options(recipe);
  if (reader != nullptr) reader->check_pictures(options);
  return load_splits(path_text(recipe, recipe.data.train), path_text(recipe, recipe.data.validation),
                     path_text(recipe, recipe.data.test), options, checkpoint.labels());
}

Folds folds_of(const PreparedData& whole, int64_t num_folds, int64_t split_seed) {
  const auto& splits = *whole.splits;
  return stratified_folds(whole.given_labels, splits.quality, num_folds, split_seed, splits.classes);
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
  options.column = recipe.noise.column;
  if (!options.column.empty()) options.true_column = recipe.noise.true_label_column;
  options.matrix = recipe.noise.matrix == "estimated" ? recipe.noise.matrix : path_text(recipe, recipe.noise.matrix);
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

}  // namespace normscope
