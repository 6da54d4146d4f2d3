// The grid: order, checks, and run ids that stay.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "recipe/recipe.h"

namespace normscope {
namespace {

const std::string kSmall = "[model]\ncheckpoint = \"m\"\n[data]\ntrain = \"t.csv\"\n";

std::vector<std::string> ids_of(const std::string& grid, const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> ids;
  for (const auto& run : expand_grid(parse_recipe(kSmall + "[grid]\n" + grid, "e.toml", overrides)))
    ids.push_back(run.id);
  return ids;
}

std::string message_of(const std::string& grid) {
  try {
    parse_recipe(kSmall + "[grid]\n" + grid, "e.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

using Ids = std::vector<std::string>;

TEST(Grid, FirstKeyOfTheFileIsTheSlowest) {
  EXPECT_EQ(ids_of("\"seed.all\" = [64, 28]\n\"norm.layers\" = [\"none\", \"all\"]\n"),
            (Ids{"seed64-none", "seed64-all", "seed28-none", "seed28-all"}));
  EXPECT_EQ(ids_of("\"norm.layers\" = [\"none\", \"all\"]\n\"seed.all\" = [28, 64]\n"),
            (Ids{"none-seed28", "none-seed64", "all-seed28", "all-seed64"}));
  EXPECT_EQ(ids_of("seed.all = [28]\nmodel.dropout = [\"checkpoint\", 0, 0.1]\n"),
            (Ids{"seed28-checkpoint", "seed28-dropout0", "seed28-dropout0.1"}));
}

TEST(Grid, RunsCarryTheirValuesAndNoGrid) {
  const auto runs = expand_grid(parse_recipe(
      kSmall + "[grid]\n\"norm.roles\" = [[\"attention\"], []]\n\"training.learning_rate\" = [1e-5]\n", "e.toml"));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].recipe.norm.roles, Ids{"attention"});
  EXPECT_EQ(runs[0].recipe.training.learning_rate, 1e-5);
  EXPECT_TRUE(runs[0].recipe.grid.empty());
  EXPECT_EQ(runs[0].values.at("norm.roles"), "[\"attention\"]");
  EXPECT_EQ(runs[1].id, "roles-none-lr1e-05");
  EXPECT_NE(recipe_hash(runs[0].recipe), recipe_hash(runs[1].recipe));
  EXPECT_EQ(parse_recipe(to_toml(runs[0].recipe), "r.toml"), runs[0].recipe);
}

// Settings that go together: a model and its data, a control and its learning rate.
TEST(Grid, NamedSettingsChangeTogether) {
  const std::string grid =
      "\"seed.all\" = [28, 64]\n"
      "pair = [{ name = \"a b\", \"model.checkpoint\" = \"x\", data.train = \"x.csv\" }, { name = \"plain\" }]\n";
  const auto recipe = parse_recipe(kSmall + "[grid]\n" + grid, "e.toml");
  const auto runs = expand_grid(recipe);
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_TRUE(runs[0].id.starts_with("seed28-a-b-")) << runs[0].id << ": a name that lost a blank carries a hash";
  EXPECT_EQ(runs[1].id, "seed28-plain");
  EXPECT_EQ(runs[0].recipe.model.checkpoint, "x");
  EXPECT_EQ(runs[0].recipe.data.train, "x.csv");
  EXPECT_EQ(runs[0].values.at("pair"), "a b");
  EXPECT_EQ(runs[1].recipe.model.checkpoint, "m");
  EXPECT_EQ(parse_recipe(to_toml(recipe), "r.toml"), recipe);
  const std::string tables =
      "\"seed.all\" = [28, 64]\n[[grid.pair]]\nname = \"a b\"\nmodel.checkpoint = \"x\"\ndata.train = "
      "\"x.csv\"\n[[grid.pair]]\nname = \"plain\"\n";
  EXPECT_EQ(parse_recipe(kSmall + "[grid]\n" + tables, "e.toml"), recipe);
}

TEST(Grid, TheCommandLinePinsWhatNamedSettingsSet) {
  const std::string grid =
      "[grid]\npair = [{ name = \"a\", \"training.epochs\" = 3 }, { name = \"b\", \"training.epochs\" = 4 }]\n";
  for (const auto& run :
       expand_grid(parse_recipe(kSmall + grid, "e.toml", std::vector<std::string>{"training.epochs=7"})))
    EXPECT_EQ(run.recipe.training.epochs, 7) << run.id;
}

TEST(Grid, NamedSettingsAreChecked) {
  const std::pair<const char*, const char*> refused[] = {
      {"pair = [{ \"seed.all\" = 1 }]\n", "expected a name"},
      {"pair = [{ name = \"a\" }, { name = \"a\" }]\n", "given twice"},
      {"pair = [{ name = \"a\" }, 3]\n", "expected a table"},
      {"pair = [{ name = \"a\", \"seed.al\" = 1 }]\n", "seed.all"},
      {"pair = [{ name = \"a\", seed.all = \"x\" }]\n", "seed.all"},
      {"\"seed.all\" = [1]\npair = [{ name = \"a\", seed.all = 2 }]\n", "varies in both"},
      {"pair = [{ name = \"a\", seed.all = 2 }]\nother = [{ name = \"a\", seed.all = 2 }]\n", "varies in both"},
  };
  for (const auto& [grid, word] : refused)
    EXPECT_NE(message_of(grid).find(word), std::string::npos) << grid << message_of(grid);
}

TEST(Grid, WithoutOneThereIsOneRun) {
  const auto runs = expand_grid(parse_recipe(kSmall, "e.toml"));
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].id, "seed28");
  EXPECT_EQ(ids_of("\"seed.all\" = [28, 64]\n").front(), "seed28");
}

TEST(Grid, IdsAreUniqueFolderNamesWhateverTheTextsAre) {
  const std::string texts =
      "[\"a/b\", \"a-b\", \"a:b\", \"../a\", \"..\", \"\", \".\", \"a\\u0000b\", \"caf\u00e9\", \"x\", \"X "
      "y\"]";
  const Ids ids = ids_of("\"data.test\" = " + texts +
                         "\n\"data.text_column\" = [\"b-c\", \"c\"]\n\"norm.layers\" = "
                         "[\"0-3,7\", \"0-3\", \"3,7\", \"all\"]\n\"norm.alpha\" = [-1.5, 0, 1e-7]\n");
  EXPECT_EQ(ids.size(), 11u * 2 * 4 * 3);
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
  for (const auto& id : ids) {
    EXPECT_EQ(id.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"),
              std::string::npos)
        << id;
    EXPECT_NE(id.front(), '.') << id;
    EXPECT_LT(id.size(), 100u) << id;
  }
}

TEST(Grid, MoreValuesLeaveOldIdsAlone) {
  const Ids few = ids_of("\"model.checkpoint\" = [\"a/bert\"]\n\"norm.layers\" = [\"all\"]\n");
  const Ids more = ids_of(
      "\"model.checkpoint\" = [\"b/bert\", \"a/bert\", \"a-bert\"]\n\"norm.layers\" = [\"early\", "
      "\"all\"]\n");
  EXPECT_NE(std::find(more.begin(), more.end(), few[0]), more.end()) << few[0];
}

TEST(Grid, OverridesPinAndSetAxes) {
  const std::string grid = "\"seed.all\" = [28, 64]\n\"norm.layers\" = [\"none\", \"all\"]\n";
  EXPECT_EQ(ids_of(grid, {"seed.all=7"}), (Ids{"none", "all"}));
  EXPECT_EQ(ids_of(grid, {"grid.seed.all=[1]"}), (Ids{"none-seed1", "all-seed1"}));
}

TEST(Grid, EveryCombinationIsChecked) {
  EXPECT_EQ(message_of("\"norm.policy\" = [\"\", \"paper:all\"]\n\"norm.layers\" = [\"none\", \"early\"]\n"),
            "e.toml:6: norm.policy \"paper:all\" and norm.layers = \"early\" cannot go together (in the run "
            "norm.policy = \"paper:all\", norm.layers = \"early\")");
  EXPECT_EQ(message_of("\"training.epochs\" = [3, -1]\n"),
            "e.toml:6: grid: training.epochs: expected an integer from 0 to 1000000, found the integer -1");
  EXPECT_EQ(message_of("\"training.epochs\" = []\n"),
            "e.toml:6: grid: training.epochs: expected a list of one or more values, found a list of 0");
  EXPECT_EQ(message_of("\"training.epochs\" = 3\n"),
            "e.toml:6: grid: training.epochs: expected a list of one or more values, found the integer 3");
  EXPECT_EQ(message_of("\"norm.alpha\" = [1, 1.0]\n"), "e.toml:6: grid: norm.alpha: 1.0 is given twice");
  EXPECT_EQ(message_of("name = [\"a\"]\n"), "e.toml:6: grid: name cannot vary: it names the whole study");
  std::string many = "[0";
  for (int i = 1; i < 101; ++i) many += ", " + std::to_string(i);
  many += "]\n";
  EXPECT_EQ(message_of("\"seed.all\" = " + many + "\"seed.noise\" = " + many),
            "e.toml: grid: expected at most 10000 runs, found more");
  EXPECT_EQ(message_of("\"noise.kind\" = [\"paper\"]\n\"noise.rate\" = [0.01]\n\"noise.class\" = [\"joy\"]\n"),
            "accepted");  // a key may be required of the runs only
}

}  // namespace
}  // namespace normscope
