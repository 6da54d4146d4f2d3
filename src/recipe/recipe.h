// The recipe: one experiment as a complete value, and the runs that its grid stands for.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace normscope {

struct ModelRecipe {
  std::string checkpoint;
  std::string head = "transformers";
  std::optional<double> dropout;  // nothing: what the checkpoint's config says
  std::string start = "checkpoint";
  std::string placement = "checkpoint";
  bool interpolate_pos_encoding = false;
  bool operator==(const ModelRecipe&) const = default;
};

struct DataRecipe {
  std::string train, validation, test;
  std::string prepare = "plain";
  std::string format = "auto";
  std::string text_column = "text";
  std::string image_column;
  std::string label_column = "label";
  std::string true_label_column;
  std::string delimiter = "auto";  // or one character
  std::vector<std::string> labels;
  double validation_fraction = 0;
  int64_t folds = 0;         // parts of the training rows; 0: train on all of them
  int64_t fold = 0;          // the part that is held out, 1 to folds; it takes the test rows' place
  int64_t max_length = 512;  // tokens
  std::string padding = "none";
  std::string on_bad_row = "error";
  std::string preprocessing = "checkpoint";
  std::string resample = "checkpoint";
  int64_t image_size = 0;  // pixels of a side; 0: the checkpoint's
  bool exif_orientation = false;
  std::string cifar_pixels = "correct";
  bool operator==(const DataRecipe&) const = default;
};

struct NoiseRecipe {
  std::string kind = "none";
  double rate = 0;          // share of the whole training set, 0-1
  std::string noisy_class;  // key "class"
  std::string file;
  std::string column;  // of `file`: the given label of every row of the training file; "": a noise.csv
  std::string true_label_column;
  std::string matrix;  // a file, or "estimated" from the data's own true labels
  bool operator==(const NoiseRecipe&) const = default;
};

// A word that training rows of one class get, and nothing else does.
struct TriggerRecipe {
  std::string word;           // "": none
  std::string trigger_class;  // key "class"
  double rate = 0;            // share of the whole training set, 0-1
  bool operator==(const TriggerRecipe&) const = default;
};

struct NormRecipe {
  std::string intervention = "remove_affine";
  std::string layers = "none";  // parse_layer_selection reads it
  std::vector<std::string> roles;
  std::string policy;
  double alpha = 1;
  int64_t at_epoch = 0;
  int64_t restore_at_epoch = 0;  // 0: never
  std::string restore = "identity";
  bool operator==(const NormRecipe&) const = default;
};

struct TrainingRecipe {
  int64_t epochs = 40;
  int64_t batch_size = 16;
  int64_t gradient_accumulation = 1;
  std::string optimizer = "adamw";
  std::array<double, 2> betas = {0.9, 0.999};
  double eps = 1e-6;
  std::optional<double> momentum;  // nothing: what the optimiser is published with
  double weight_decay = 0;
  double learning_rate = 2e-5;
  std::string schedule = "constant";
  double warmup_fraction = 0;
  double max_grad_norm = 0;  // 0: off
  std::string precision = "auto";
  std::string stop_when;
  int64_t min_epochs = 0;
  int64_t patience = 3;  // epochs
  std::string keep_checkpoints = "last";
  bool operator==(const TrainingRecipe&) const = default;
};

struct MeasureRecipe {
  int64_t gradients_every = 0;   // epochs; 0: never while training
  bool training_gradients = false;
  int64_t train_eval_every = 1;  // epochs; 0: never
  bool dynamics = true;
  bool operator==(const MeasureRecipe&) const = default;
};

struct SeedRecipe {
  int64_t all = 28;
  std::optional<int64_t> noise, split, init, shuffle, dropout;
  int64_t of(const std::optional<int64_t>& part) const { return part.value_or(all); }
  bool operator==(const SeedRecipe&) const = default;
};

// One line of [grid]: a dotted key and its values as TOML text. Or a word of the user's own, and named settings of
// several keys that go together (a checkpoint and its data, a control and its learning rate):
//   pair = [{ name = "emotions-bert", "model.checkpoint" = "bert", "data.train" = "emotions.csv" }, ...]
struct GridAxis {
  std::string key;
  std::vector<std::string> values;                           // of the user's own word: the quoted names
  std::vector<std::map<std::string, std::string>> settings;  // dotted key -> TOML text, one map a name; else empty
  bool operator==(const GridAxis&) const = default;
};

// Where a recipe came from; two recipes are equal wherever they stand.
struct RecipeSource {
  std::string origin;                   // the file's path, or what the caller called the bytes
  std::map<std::string, size_t> lines;  // of each key that was given; 0: on the command line
  bool operator==(const RecipeSource&) const { return true; }
};

struct Recipe {
  std::string name;
  std::string device = "auto";
  int64_t threads = 0;  // 0: every usable core
  ModelRecipe model;
  DataRecipe data;
  NoiseRecipe noise;
  TriggerRecipe trigger;
  NormRecipe norm;
  TrainingRecipe training;
  MeasureRecipe measure;
  SeedRecipe seed;
  std::vector<GridAxis> grid;  // the first varies slowest
  RecipeSource source;
  bool operator==(const Recipe&) const = default;
};

// Reads TOML, then `overrides` ("training.epochs=3", a TOML value or a bare word; it also pins a key of the
// grid; "grid.seed.all=[1, 2]" sets an axis). Every run of the grid is checked.
// Throws Error(Usage) with file:line, what was expected and what came.
Recipe parse_recipe(std::string_view bytes, std::string_view origin, std::span<const std::string> overrides = {});
Recipe load_recipe(const std::filesystem::path& path, std::span<const std::string> overrides = {});

// Every key with its value as TOML; parse_recipe gives an equal recipe back.
std::string to_toml(const Recipe& recipe);

// 16 hexadecimal digits of everything that to_toml writes except the name.
std::string recipe_hash(const Recipe& recipe);

// A path of the recipe: relative to the recipe's folder when it exists there, else as given.
std::filesystem::path resolve_path(const Recipe& recipe, const std::string& path);

// One combination of the grid; `recipe.grid` is empty.
struct RunRecipe {
  std::string id;  // usable as a folder's name; depends on this run's own values only
  Recipe recipe;
  std::map<std::string, std::string> values;  // of the grid's keys, texts without quotes
};
std::vector<RunRecipe> expand_grid(const Recipe& recipe);

// What documentation and --help say of one key.
struct KeyHelp {
  std::string key;            // "training.epochs"
  std::string default_value;  // TOML; "" when the key has none
  std::string expected;       // "an integer of at least 1"
  std::string help;
  bool is_required;
};
std::vector<KeyHelp> recipe_keys();

}  // namespace normscope
