// Reads a study from its database and sorts its runs into units.
#include "reports/study_view.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "core/file.h"
#include "core/text.h"

namespace normscope {
namespace {

size_t selection_order(const std::string& selection) {
  const std::string name = selection.starts_with("paper:") ? selection.substr(6) : selection;
  constexpr const char* kOrder[] = {"none", "all", "blocks", "early", "middle", "later"};
  const auto* found = std::find(std::begin(kOrder), std::end(kOrder), name);
  return static_cast<size_t>(found - kOrder);
}

std::vector<std::string> line_difference(const std::vector<std::string>& of, const std::vector<std::string>& other) {
  std::vector<std::string> lines;
  for (const auto& line : of)
    if (std::find(other.begin(), other.end(), line) == other.end()) lines.push_back(line);
  return lines;
}

// Titles that two units share get the recipe lines in which they differ.
void tell_apart(std::vector<Unit>& units) {
  std::map<std::string, std::vector<Unit*>> by_title;
  for (auto& unit : units) by_title[unit.title].push_back(&unit);
  for (auto& [title, same] : by_title) {
    if (same.size() < 2) continue;
    for (size_t i = 0; i < same.size(); ++i) {
      const auto& other = *same[i == 0 ? 1 : 0];
      auto own = line_difference(shared_recipe_lines(same[i]->runs[0]->run.recipe, false),
                                 shared_recipe_lines(other.runs[0]->run.recipe, false));
      if (own.size() > 3) own.resize(3);
      same[i]->title += " (" + (own.empty() ? std::to_string(i + 1) : join(own, ", ")) + ")";
    }
  }
}

std::string unit_key(const Run& run) {
  const auto lines = shared_recipe_lines(run.recipe, false);
  return lines.empty() ? run.model + '\n' + run.placement + '\n' + run.facts.dataset : join(lines, "\n");
}

// The value of the recipe's first line, name = "...".
std::string name_of(const std::string& recipe) {
  if (!recipe.starts_with("name = ")) return "";
  std::string value = recipe.substr(7, recipe.find('\n') - 7);
  if (value.size() < 2 || value.front() != '"') return value;
  value = value.substr(1, value.size() - 2);
  for (size_t at = value.find('\\'); at != std::string::npos && at + 1 < value.size(); at = value.find('\\', at + 1))
    value.erase(at, 1);  // an escaped quote or backslash; a name has no others
  return value;
}

}  // namespace

std::vector<CurvePoint> curve(const RunView& run, double EpochMetrics::*metric) {
  std::vector<CurvePoint> points;
  for (const auto& row : run.epochs) points.push_back({static_cast<double>(row.epoch), row.*metric});
  return points;
}

std::vector<std::string> shared_recipe_lines(const std::string& recipe, bool with_seeds) {
  std::istringstream lines(recipe);
  std::vector<std::string> shared;
  std::string section;
  const std::set<std::string> free_keys = {"name", "training.epochs", "training.keep_checkpoints"};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("[")) {
      section = line.substr(1, line.find(']') - 1);
      continue;
    }
    const bool is_free =
        section == "norm" || section == "grid" || section == "measure" || (section == "seed" && !with_seeds);
    if (line.empty() || is_free) continue;
    line = (section.empty() ? "" : section + ".") + line;
    if (!free_keys.contains(line.substr(0, line.find(" =")))) shared.push_back(line);
  }
  return shared;
}

std::vector<std::string> Unit::selections() const {
  std::vector<std::string> found;
  for (const auto* run : runs)
    if (std::find(found.begin(), found.end(), run->run.norm_selection) == found.end())
      found.push_back(run->run.norm_selection);
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::pair(selection_order(a), a) < std::pair(selection_order(b), b);
  });
  return found;
}

std::vector<const RunView*> Unit::with(const std::string& norm_selection) const {
  std::vector<const RunView*> found;
  for (const auto* run : runs)
    if (run->run.norm_selection == norm_selection && run->has_trained()) found.push_back(run);
  return found;
}

std::vector<int64_t> Unit::seeds() const {
  std::set<int64_t> seeds;
  for (const auto* run : runs) seeds.insert(run->run.seed);
  return {seeds.begin(), seeds.end()};
}

namespace {

// Of a run that was stored before facts held it: asked of the checkpoint's folder while that is there.
std::string recipe_beside_checkpoint(const std::string& recipe) {
  for (const auto& line : shared_recipe_lines(recipe, true)) {
    if (!line.starts_with("model.checkpoint = \"") || line.find('\\') != std::string::npos) continue;
    const size_t begin = line.find('"') + 1;
    const std::filesystem::path path =
        std::filesystem::path(line.substr(begin, line.size() - begin - 1)) / "recipe.toml";
    if (std::filesystem::is_regular_file(path)) return read_file(path, ErrorKind::Data);
  }
  return "";
}

}  // namespace

StudyView load_study(const RunStore& store) {
  StudyView view;
  view.study = store.find_study().value_or(Study{});
  const auto add_audit = [&](const std::filesystem::path& folder) {
    if (std::filesystem::exists(folder / "audit.json")) view.audits.push_back(folder / "audit.json");
  };
  add_audit(store.folder());
  for (auto& run : store.runs()) {
    auto& loaded = view.runs.emplace_back();
    loaded.epochs = store.metrics(run.id);
    loaded.noisy_rows = store.noisy_rows(run.id);
    loaded.predictions = store.noisy_predictions(run.id);
    loaded.norm_readings = store.norm_readings(run.id);
    const auto measurement = store.folder() / "runs" / run.id / "measure.json";
    if (std::filesystem::exists(measurement)) loaded.measurement = measurement;
    const auto pictures = store.folder() / "runs" / run.id / "noisy_pictures";
    if (std::filesystem::is_directory(pictures)) loaded.noisy_pictures = pictures;
    add_audit(store.folder() / "runs" / run.id);
    if (run.facts.checkpoint_recipe.empty()) run.facts.checkpoint_recipe = recipe_beside_checkpoint(run.recipe);
    loaded.run = std::move(run);
  }
  std::map<std::string, size_t> unit_of;
  for (const auto& loaded : view.runs) {
    const auto [at, is_new] = unit_of.try_emplace(unit_key(loaded.run), view.units.size());
    if (is_new) view.units.emplace_back();
    Unit& unit = view.units[at->second];
    unit.runs.push_back(&loaded);
    // A run that has not started does not know all three.
    if (unit.model.empty()) unit.model = loaded.run.model;
    if (unit.placement.empty()) unit.placement = loaded.run.placement;
    if (unit.dataset.empty()) unit.dataset = loaded.run.facts.dataset;
  }
  for (auto& unit : view.units) unit.title = unit.model + (unit.dataset.empty() ? "" : " on " + unit.dataset);
  tell_apart(view.units);
  view.name = name_of(view.study.recipe);
  if (view.name.empty() && !view.runs.empty()) view.name = view.runs[0].run.name;
  return view;
}

}  // namespace normscope
