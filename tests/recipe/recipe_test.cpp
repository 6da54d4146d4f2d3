// The recipe: defaults, round trip, what is refused and with which words.
#include "recipe/recipe.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "core/file.h"
#include "recipe/field.h"

namespace normscope {
namespace {

constexpr std::string_view kSmall = "[model]\ncheckpoint = \"m\"\n[data]\ntrain = \"t.csv\"\n";

std::string message_of(std::string_view text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_recipe(text, "exp.toml", overrides);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    return error.what();
  }
  return "accepted";
}

Recipe small_with(const std::vector<std::string>& overrides) { return parse_recipe(kSmall, "exp.toml", overrides); }

TEST(Recipe, DefaultsAreTheContracts) {
  const Recipe recipe = parse_recipe(kSmall, "runs/bert-emotions.toml");
  EXPECT_EQ(recipe.name, "bert-emotions");
  EXPECT_EQ(to_toml(recipe), R"(name = "bert-emotions"
device = "auto"
threads = 0

[model]
checkpoint = "m"
head = "transformers"
dropout = "checkpoint"
start = "checkpoint"
placement = "checkpoint"
interpolate_pos_encoding = false

[data]
train = "t.csv"
validation = ""
test = ""
prepare = "plain"
format = "auto"
text_column = "text"
image_column = ""
label_column = "label"
true_label_column = ""
delimiter = "auto"
labels = []
validation_fraction = 0.0
folds = 0
fold = 0
max_length = 512
padding = "none"
on_bad_row = "error"
preprocessing = "checkpoint"
resample = "checkpoint"
image_size = 0
exif_orientation = false
cifar_pixels = "correct"

[noise]
kind = "none"
rate = 0.0
class = ""
file = ""
column = ""
true_label_column = ""
matrix = ""

[trigger]
word = ""
class = ""
rate = 0.0

[norm]
intervention = "remove_affine"
layers = "none"
roles = []
policy = ""
alpha = 1.0
at_epoch = 0
restore_at_epoch = 0
restore = "identity"

[training]
epochs = 40
batch_size = 16
gradient_accumulation = 1
optimizer = "adamw"
betas = [0.9, 0.999]
eps = 1e-06
momentum = "auto"
weight_decay = 0.0
learning_rate = 2e-05
schedule = "constant"
warmup_fraction = 0.0
max_grad_norm = 0.0
precision = "auto"
stop_when = ""
min_epochs = 0
patience = 3
keep_checkpoints = "last"

[measure]
gradients_every = 0
training_gradients = false
train_eval_every = 1
dynamics = true

[seed]
all = 28
)");
}

TEST(Recipe, TomlAndBackIsTheIdentity) {
  const Recipe recipe =
      small_with({"name=a\"b\\c", "model.dropout=0.1", "data.labels=[\"caf\u00e9\", \"tab\\t\\u0001\"]",
                  "noise.kind=paper", "noise.rate=0.01", "noise.class=surprise", "seed.noise=64",
                  "training.betas=[0.8, 0.95]", "norm.layers=0-3,7", "norm.roles=attention,final",
                  "measure.dynamics=false", "grid.seed.all=[28, 64]", "grid.\"norm.roles\"=[[\"final\"], []]"});
  const std::string text = to_toml(recipe);
  const Recipe again = parse_recipe(text, "other.toml");
  EXPECT_EQ(again, recipe);
  EXPECT_EQ(to_toml(again), text);
  EXPECT_EQ(recipe.name, "a\"b\\c");
  EXPECT_EQ(recipe.seed.of(recipe.seed.noise), 64);
  EXPECT_EQ(recipe.seed.of(recipe.seed.split), 28);
}

TEST(Recipe, EveryKeyCanBeOverriddenByItsOwnText) {
  Recipe recipe = small_with({"model.start=random", "training.epochs=50"});
  for (const Field& field : recipe_fields(recipe)) {
    const std::string value = value_toml(field);
    if (value.empty()) continue;
    EXPECT_EQ(parse_recipe(to_toml(recipe), "exp.toml", std::vector<std::string>{field.key + "=" + value}), recipe)
        << field.key;
  }
}

TEST(Recipe, TheExampleOfTheContractParses) {
  const auto page = std::filesystem::path(NORMSCOPE_SOURCE) / "../shared/spec/product.md";
  if (!std::filesystem::exists(page)) GTEST_SKIP() << page << " is absent";
  const std::string text = read_file(page, ErrorKind::Data);
  const size_t begin = text.find("```toml\n") + 8;
  const Recipe recipe = parse_recipe(text.substr(begin, text.find("```", begin) - begin), "product.md",
                                     std::vector<std::string>{"model.checkpoint=m", "data.train=t"});
  EXPECT_EQ(expand_grid(recipe).size(), 15u);
  Recipe plain = parse_recipe(kSmall, "bert-emotions.toml", std::vector<std::string>{"data.train=t"});
  plain.grid = recipe.grid;
  EXPECT_EQ(recipe, plain);  // the values shown there are the defaults
}

TEST(Recipe, UnknownNamesSuggestTheNearest) {
  EXPECT_EQ(message_of("[training]\n\nepoch = 3\n"),
            "exp.toml:3: unknown key training.epoch; the nearest known key is training.epochs");
  EXPECT_EQ(message_of("[model]\nepochs = 3\n"),
            "exp.toml:2: unknown key model.epochs; the nearest known key is training.epochs");
  EXPECT_EQ(message_of("learning_rat = 3\n"),
            "exp.toml:1: unknown key learning_rat; the nearest known key is training.learning_rate");
  EXPECT_EQ(message_of("[trainin]\nepochs = 3\n"),
            "exp.toml:1: unknown section [trainin]; the nearest known section is [training]");
  EXPECT_EQ(message_of("[zzzzzzzz]\n"),
            "exp.toml:1: unknown section [zzzzzzzz]; known are grid, model, data, noise, trigger, norm, training, "
            "measure, seed");
  EXPECT_EQ(message_of("[grid]\n\"seed.al\" = [1]\n"),
            "exp.toml:2: grid: unknown key seed.al; the nearest known key is seed.all");
  EXPECT_EQ(message_of(kSmall, {"trainin.epochs=3"}),
            "--set: unknown key trainin.epochs; the nearest known key is training.epochs");
}

TEST(Recipe, WrongValuesNameWhatWasExpectedAndFound) {
  EXPECT_EQ(message_of("[training]\nepochs = \"three\"\n"),
            "exp.toml:2: training.epochs: expected an integer from 0 to 1000000, found \"three\"");
  EXPECT_EQ(message_of("[training]\nepochs = 2.5\n"),
            "exp.toml:2: training.epochs: expected an integer from 0 to 1000000, found the number 2.5");
  EXPECT_EQ(message_of("[training]\nbatch_size = 0\n"),
            "exp.toml:2: training.batch_size: expected an integer from 1 to 1000000, found the integer 0");
  EXPECT_EQ(message_of("[training]\nlearning_rate = 0\n"),
            "exp.toml:2: training.learning_rate: expected a number above 0, found the integer 0");
  EXPECT_EQ(message_of("[training]\nlearning_rate = nan\n"),
            "exp.toml:2: training.learning_rate: expected a number above 0, found the number nan");
  EXPECT_EQ(message_of("[norm]\nalpha = inf\n"), "exp.toml:2: norm.alpha: expected a number, found the number inf");
  EXPECT_EQ(message_of("[training]\noptimizer = \"adamm\"\n"),
            "exp.toml:2: training.optimizer: expected one of adamw, sgd, muon, found \"adamm\"; did you mean "
            "adamw?");
  EXPECT_EQ(message_of("[training]\nbetas = [0.9]\n"),
            "exp.toml:2: training.betas: expected two numbers from 0 to below 1, found a list of 1");
  EXPECT_EQ(message_of("[model]\ndropout = \"none\"\n"),
            "exp.toml:2: model.dropout: expected \"checkpoint\" or a number from 0 to below 1, found \"none\"");
  EXPECT_EQ(message_of("[measure]\ndynamics = 1\n"),
            "exp.toml:2: measure.dynamics: expected true or false, found the integer 1");
  EXPECT_EQ(message_of("[seed]\nall = -1\n"),
            "exp.toml:2: seed.all: expected an integer of at least 0, found the integer -1");
  EXPECT_EQ(message_of("[noise]\nrate = 1.5\n"),
            "exp.toml:2: noise.rate: expected a number from 0 to 1, found the number 1.5");
  EXPECT_EQ(message_of("[norm]\nroles = [\"attention\", \"attention\"]\n"),
            "exp.toml:2: norm.roles: expected different names, found \"attention\" twice");
  EXPECT_EQ(message_of("[norm]\nroles = \"final\"\n"),
            "exp.toml:2: norm.roles: expected a list of embedding, attention, feed_forward, final, found "
            "\"final\"");
  EXPECT_EQ(message_of("[norm]\nlayers = \"erly\"\n"),
            "exp.toml:2: norm.layers: expected none, all, blocks, early, middle, later or a list such as "
            "\"0-3,7\", "
            "found \"erly\"; did you mean early?");
  EXPECT_EQ(message_of("device = \"gpu\"\n"),
            "exp.toml:1: device: expected auto, cpu, cuda or cuda:<number>, found \"gpu\"");
  EXPECT_EQ(message_of("[data]\ndelimiter = \";;\"\n"),
            "exp.toml:2: data.delimiter: expected auto or one character, found \";;\"");
  EXPECT_EQ(message_of("name = 2020-01-01\n"), "exp.toml:1: name: expected text, found a date or a time");
  EXPECT_EQ(message_of("model = 3\n"), "exp.toml:1: model: expected a table, found the integer 3");
  EXPECT_NE(message_of("[model\n").find("exp.toml:1: not TOML: "), std::string::npos);
  EXPECT_NE(message_of("a = 1\na = 2\n").find("exp.toml:2: not TOML: "), std::string::npos);
  EXPECT_NE(message_of("name = \"\xff\"\n").find("exp.toml:1: not TOML: "), std::string::npos);
}

TEST(Recipe, RequiredKeysAreAskedFor) {
  EXPECT_EQ(message_of(""), "exp.toml: model.checkpoint is required: a Hugging Face directory or a run's folder");
  EXPECT_EQ(message_of("[model]\ncheckpoint = \"m\"\n"),
            "exp.toml: data.train is required: a file or a folder of training rows");
}

TEST(Recipe, KeysThatDisagreeAreRefused) {
  EXPECT_EQ(message_of(kSmall, {"norm.policy=paper:all", "norm.layers=all"}),
            "--set: norm.policy \"paper:all\" and norm.layers = \"all\" cannot go together");
  EXPECT_EQ(message_of(std::string(kSmall) + "[norm]\npolicy = \"paper:all\"\nroles = [\"final\"]\n"),
            "exp.toml:6: norm.policy \"paper:all\" and norm.roles cannot go together");
  EXPECT_EQ(message_of(kSmall, {"model.placement=pre_norm"}),
            "--set: model.placement \"pre_norm\" needs model.start = \"random\": weights trained one way "
            "mean nothing the other (\"rewired\" keeps them to show just that)");
  EXPECT_EQ(message_of(kSmall, {"model.placement=pre_norm", "model.start=rewired"}), "accepted");
  EXPECT_EQ(message_of(kSmall, {"model.start=rewired"}),
            "--set: model.start \"rewired\" needs model.placement, the way to wire the checkpoint's layers");
  EXPECT_EQ(message_of(kSmall, {"model.placement=pre_norm", "model.start=random"}), "accepted");
  EXPECT_EQ(message_of(kSmall, {"noise.kind=paper", "noise.class=joy"}),
            "--set: noise.kind \"paper\" needs noise.rate, the share of the training rows");
  EXPECT_EQ(message_of(kSmall, {"noise.kind=paper", "noise.rate=0.01"}),
            "--set: noise.kind \"paper\" needs noise.class, the class whose rows are flipped");
  EXPECT_EQ(message_of(kSmall, {"noise.kind=symmetric", "noise.rate=0"}),
            "accepted");  // a grid's own baseline
  EXPECT_EQ(message_of(kSmall, {"noise.rate=0.1"}), "--set: noise.rate has no effect without noise.kind");
  EXPECT_EQ(message_of(kSmall, {"noise.kind=file"}),
            "--set: noise.kind \"file\" needs noise.file or noise.true_label_column");
  EXPECT_EQ(message_of(kSmall, {"noise.kind=file", "noise.true_label_column=true"}), "accepted");
  EXPECT_EQ(message_of(kSmall,
                       {"noise.kind=file", "noise.file=n.csv", "noise.column=worst", "noise.true_label_column=clean"}),
            "accepted");
  EXPECT_EQ(message_of(kSmall, {"noise.kind=file", "noise.true_label_column=true", "noise.column=worst"}),
            "--set: noise.column has no effect without noise.kind = \"file\" and noise.file");
  EXPECT_EQ(message_of(kSmall, {"noise.kind=class_matrix"}),
            "--set: noise.kind \"class_matrix\" needs noise.matrix: a file, or \"estimated\"");
  EXPECT_EQ(message_of(kSmall, {"noise.kind=class_matrix", "noise.matrix=m.csv"}), "accepted");
  EXPECT_EQ(message_of(kSmall, {"data.folds=1"}), "--set: data.folds is 1; expected 0, or at least 2 parts");
  EXPECT_EQ(message_of(kSmall, {"data.folds=3", "data.fold=4"}), "--set: data.fold is 4; expected 1 to data.folds = 3");
  EXPECT_EQ(message_of(kSmall, {"data.fold=2"}), "--set: data.fold has no effect without data.folds");
  EXPECT_EQ(message_of(kSmall, {"noise.kind=file", "noise.true_label_column=true", "noise.file=n.csv"}),
            "--set: noise.file and noise.true_label_column cannot go together: the true labels come from one "
            "place");
  EXPECT_EQ(message_of(kSmall, {"norm.at_epoch=40"}),
            "--set: norm.at_epoch 40 is never reached: training.epochs is 40");
  EXPECT_EQ(message_of(kSmall, {"norm.at_epoch=5", "norm.restore_at_epoch=5"}),
            "--set: norm.restore_at_epoch 5 must come after norm.at_epoch = 5");
  EXPECT_EQ(message_of(kSmall, {"training.stop_when=validation_loss"}),
            "--set: training.stop_when \"validation_loss\" needs data.validation or data.validation_fraction");
  EXPECT_EQ(message_of(kSmall, {"training.stop_when=memorized"}),
            "--set: training.stop_when \"memorized\" needs label noise: noise.kind is \"none\"");
  EXPECT_EQ(message_of(kSmall, {"data.validation=v.csv", "data.validation_fraction=0.1"}),
            "--set: data.validation_fraction and data.validation cannot go together: the validation rows "
            "come from one "
            "place");
  EXPECT_EQ(message_of(kSmall, {"data.image_column=image"}), "accepted");
  EXPECT_EQ(message_of(kSmall, {"data.image_column=image", "data.text_column=words"}),
            "--set: data.image_column and data.text_column cannot go together: a row is one or the other");
}

TEST(Recipe, OverridesReadTomlAndBareWords) {
  const Recipe recipe =
      small_with({"training.epochs=3", "norm.layers=early", "data.labels=a,b", "name=2024", "data.delimiter=,",
                  "norm.alpha=1", "model.dropout=checkpoint", "seed.all = 5", "training.epochs=4"});
  EXPECT_EQ(recipe.training.epochs, 4);
  EXPECT_EQ(recipe.norm.layers, "early");
  EXPECT_EQ(recipe.data.labels, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(recipe.name, "2024");
  EXPECT_EQ(recipe.data.delimiter, ",");
  EXPECT_EQ(recipe.norm.alpha, 1.0);
  EXPECT_EQ(recipe.model.dropout, std::nullopt);
  EXPECT_EQ(recipe.seed.all, 5);
  EXPECT_EQ(message_of(kSmall, {"training.epochs=many"}),
            "--set: training.epochs: expected an integer from 0 to 1000000, found \"many\"");
  EXPECT_EQ(message_of(kSmall, {"epochs"}), "--set: expected key=value, found \"epochs\"");
  EXPECT_EQ(message_of(kSmall, {"training.epochs=3\nbatch_size=1"}),
            "--set: training.epochs: expected an integer from 0 to 1000000, found \"3\\nbatch_size=1\"");
}

TEST(Recipe, HashIgnoresTheNameAndNothingElse) {
  const Recipe recipe = small_with({});
  EXPECT_EQ(recipe_hash(recipe).size(), 16u);
  EXPECT_EQ(recipe_hash(recipe), recipe_hash(small_with({"name=other"})));
  std::set<std::string> hashes = {recipe_hash(recipe)};
  for (const char* change : {"training.epochs=3", "norm.layers=all", "seed.noise=28", "measure.dynamics=false"})
    EXPECT_TRUE(hashes.insert(recipe_hash(small_with({change}))).second) << change;
}

TEST(Recipe, PathsStandBesideTheRecipeOrWhereTheUserIs) {
  const auto folder =
      std::filesystem::path(testing::TempDir()) / ("normscope_recipe_test_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  write_file_atomically(folder / "t.csv", "text,label\n");
  write_file_atomically(folder / "e.toml", kSmall);
  const Recipe recipe = load_recipe(folder / "e.toml");
  EXPECT_EQ(resolve_path(recipe, recipe.data.train), folder / "t.csv");
  EXPECT_EQ(resolve_path(recipe, "org/name"), "org/name");
  EXPECT_EQ(resolve_path(recipe, "/abs/x"), "/abs/x");
  EXPECT_EQ(recipe.data.train, "t.csv");
  EXPECT_THROW(load_recipe(folder / "none.toml"), Error);
}

TEST(Recipe, EveryKeyHasHelpAndADefault) {
  std::set<std::string> seen;
  for (const auto& key : recipe_keys()) {
    EXPECT_TRUE(seen.insert(key.key).second) << key.key;
    EXPECT_GT(key.help.size(), 8u) << key.key;
    EXPECT_FALSE(key.expected.empty()) << key.key;
    const bool may_lack_default = key.is_required || key.key == "name" || key.key.starts_with("seed.");
    EXPECT_TRUE(may_lack_default || !key.default_value.empty()) << key.key;
  }
  EXPECT_GT(seen.size(), 55u);
}

}  // namespace
}  // namespace normscope
