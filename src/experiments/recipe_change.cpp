#include "experiments/recipe_change.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "experiments/run.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

// Everything of a run but its names.
std::string content_of(const std::string& recipe_toml) { return recipe_hash(parse_recipe(recipe_toml, "recipe.toml")); }

std::string dropped_id(const std::string& id, const std::string& content) {
  return id.substr(0, id.find('~')) + "~" + content.substr(0, 8);
}

std::vector<Run> all_runs(const RunStore& store) {
  auto runs = store.runs();
  for (auto& run : store.dropped_runs()) runs.push_back(std::move(run));
  return runs;
}

fs::path runs_folder(const RunStore& store) { return store.folder() / "runs"; }

// While it is there, folders may not be where their runs' ids say.
fs::path moving_mark(const RunStore& store) { return runs_folder(store) / ".moving"; }

// A folder's run is known by the recipe in it, so that this can be done again after any interruption.
void place_folders(const RunStore& store) {
  std::multimap<std::string, std::string> ids;  // by content
  for (const auto& run : all_runs(store)) ids.emplace(content_of(run.recipe), run.id);
  const auto folder = runs_folder(store);
  std::map<fs::path, fs::path> moves;
  std::set<std::string> taken;
  std::vector<std::pair<fs::path, std::string>> folders;  // and their contents
  for (const auto& entry : fs::directory_iterator(folder))
    if (fs::exists(entry.path() / "recipe.toml"))
      folders.emplace_back(entry.path(), content_of(read_file(entry.path() / "recipe.toml", ErrorKind::Run)));
  std::ranges::sort(folders);
  const auto is_in_place = [&](const fs::path& path, const std::string& content) {
    const auto [first, last] = ids.equal_range(content);
    return std::any_of(first, last, [&](const auto& of) { return of.second == path.filename(); });
  };
  for (const auto& [path, content] : folders)
    if (is_in_place(path, content)) taken.insert(path.filename());
  for (const auto& [path, content] : folders) {
    if (is_in_place(path, content)) continue;
    const auto [first, last] = ids.equal_range(content);
    const auto free = std::find_if(first, last, [&](const auto& of) { return !taken.contains(of.second); });
    if (free == last) continue;  // of no run: somebody else's
    taken.insert(free->second);
    moves[path] = folder / free->second;
  }
  // Folders may take each other's names.
  for (const auto& [from, to] : moves) fs::rename(from, from.string() + ".moving");
  for (const auto& [from, to] : moves) {
    if (fs::exists(to) && !fs::exists(to / "recipe.toml")) fs::remove_all(to);  // of a run that had hardly begun
    fs::rename(from.string() + ".moving", to);
  }
}

void check_may_change(const RunStore& store, const Recipe& recipe) {
  const auto place = store.folder().string();
  const auto stored = parse_recipe(store.find_study()->recipe, "normscope.db");
  require(stored.name == recipe.name, ErrorKind::Usage, place, ": belongs to another recipe ('", stored.name,
          "', and this one is '", recipe.name, "'); choose another --out, or --fresh=replace to start anew");
  const bool is_same = stored.threads == recipe.threads && stored.device == recipe.device &&
                       stored.training.precision == recipe.training.precision;
  require(is_same, ErrorKind::Usage, place,
          ": threads, device and training.precision are fixed when a study is created; choose another --out");
}

}  // namespace

Run waiting_run(const RunRecipe& item) {
  Run run;
  run.id = run.name = item.id;
  run.epochs = item.recipe.training.epochs;
  run.seed = item.recipe.seed.all;
  run.norm_selection = norm_selection_label(item.recipe);
  run.model = fs::path(item.recipe.model.checkpoint).filename().string();
  run.recipe = to_toml(item.recipe);
  return run;
}

RecipeChange plan_change(const RunStore& store, const std::vector<RunRecipe>& runs) {
  std::multimap<std::string, const RunRecipe*> wanted;  // by content
  for (const auto& run : runs) wanted.emplace(recipe_hash(run.recipe), &run);
  RecipeChange change;
  for (const auto& run : all_runs(store)) {
    const auto content = content_of(run.recipe);
    auto [first, last] = wanted.equal_range(content);
    const auto same_id = std::find_if(first, last, [&](const auto& of) { return of.second->id == run.id; });
    const auto match = same_id != last ? same_id : first;
    const bool is_wanted = first != last;
    change.places.push_back({run.number, is_wanted ? match->second->id : dropped_id(run.id, content), !is_wanted});
    if (is_wanted) {
      ++(run.dropped.empty() ? change.kept : change.taken_back);
      wanted.erase(match);
    } else if (run.dropped.empty()) {
      ++change.dropped;
    }
  }
  std::set<const RunRecipe*> added;
  for (const auto& [content, run] : wanted) added.insert(run);
  for (const auto& run : runs)
    if (added.contains(&run)) change.added.push_back(waiting_run(run));
  return change;
}

std::string to_text(const RecipeChange& change) {
  const auto counted = [](size_t count, const char* of_one, const char* of_many) {
    return std::to_string(count) + (count == 1 ? of_one : of_many);
  };
  std::vector<std::string> parts;
  if (!change.added.empty()) parts.push_back(counted(change.added.size(), " run is new", " runs are new"));
  if (change.taken_back > 0)
    parts.push_back(counted(static_cast<size_t>(change.taken_back), " comes back", " come back"));
  if (change.dropped > 0)
    parts.push_back(counted(static_cast<size_t>(change.dropped), " is dropped", " are dropped") +
                    " (kept on disk, left out of the report)");
  if (change.kept > 0) parts.push_back(counted(static_cast<size_t>(change.kept), " is as before", " are as before"));
  return "the recipe has changed: " + join(parts, ", ");
}

void change_recipe(RunStore& store, const Recipe& recipe, const RecipeChange& change) {
  check_may_change(store, recipe);
  write_file_atomically(moving_mark(store), "");
  store.change_study(to_toml(recipe), change.places, change.added);
  finish_change(store);
}

void finish_change(const RunStore& store) {
  if (!fs::exists(moving_mark(store))) return;
  place_folders(store);
  fs::remove(moving_mark(store));
}

}  // namespace normscope
