// Expands a grid, first key slowest, and names each run.
#include "recipe/grid.h"

#include <algorithm>
#include <set>

#include "core/text.h"
#include "recipe/check.h"
#include "recipe/field.h"
#include "recipe/value.h"

namespace normscope {
namespace {

constexpr size_t kMaxRuns = 10000;
constexpr size_t kMaxIdBytes = 80;

// Texts without their quotes, everything else as TOML.
std::string bare(const std::string& value_toml) {
  if (!value_toml.starts_with('"')) return value_toml;
  return *toml::parse("value = " + value_toml)["value"].value<std::string>();
}

std::string sanitised(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    const bool is_kept =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    if (is_kept)
      safe += c;
    else if (!safe.empty() && safe.back() != '-')
      safe += '-';
  }
  while (!safe.empty() && (safe.back() == '-' || safe.back() == '.')) safe.pop_back();
  const size_t start = std::min(safe.find_first_not_of("-."), safe.size());
  return safe.substr(start);
}

std::string number_prefix(const std::string& key) {
  if (key == "seed.all") return "seed";
  if (key.starts_with("seed.")) return key.substr(5) + "seed";
  if (key == "training.learning_rate") return "lr";
  if (key == "training.batch_size") return "batch";
  return key.substr(key.rfind('.') + 1);
}

// Whether different values of the key always have different labels.
bool has_own_labels(const Field& field) {
  const bool is_text = std::holds_alternative<std::string*>(field.target);
  const bool is_list = std::holds_alternative<std::vector<std::string>*>(field.target);
  return (!is_text && !is_list) || !field.rule.words.empty() || field.key == "norm.layers";
}

std::string run_id(const Recipe& run, const std::vector<std::pair<const GridAxis*, size_t>>& chosen) {
  if (chosen.empty()) return "seed" + std::to_string(run.seed.all);
  Recipe scratch;
  const auto fields = recipe_fields(scratch);
  std::vector<std::string> labels;
  std::string content;
  bool needs_hash = false;
  for (const auto& [axis, index] : chosen) {
    const std::string& value = axis->values[index];
    labels.push_back(axis_label(axis->key, value));
    content += axis->key + "=" + value + "\n";
    // Free texts may lose characters on the way to a folder's name.
    const Field* field = find_field(fields, axis->key);
    needs_hash |= (field == nullptr || !has_own_labels(*field)) && labels.back() != bare(value);
  }
  std::string id = join(labels, "-");
  if (id.size() > kMaxIdBytes) {
    id.resize(kMaxIdBytes);
    needs_hash = true;
  }
  return needs_hash ? id + "-" + hexadecimal(content_hash(content), 8) : id;
}

std::string combination(const std::vector<std::pair<const GridAxis*, size_t>>& chosen) {
  std::vector<std::string> parts;
  for (const auto& [axis, index] : chosen) parts.push_back(axis->key + " = " + axis->values[index]);
  return join(parts, ", ");
}

void set(const std::vector<Field>& fields, const std::string& key, const std::string& value, const std::string& where) {
  const toml::table table = toml::parse("value = " + value);
  read_value(*find_field(fields, key), *table.get("value"), where);
}

// Each key varies in one axis only.
void check_axes(const Recipe& recipe) {
  std::map<std::string, std::string> axis_of;
  const auto claim = [&](const std::string& key, const std::string& axis) {
    const auto [place, is_new] = axis_of.emplace(key, axis);
    require(is_new || place->second == axis, ErrorKind::Usage, recipe.source.origin, ": grid: ", key,
            " varies in both ", place->second, " and ", axis);
  };
  for (const auto& axis : recipe.grid) {
    if (axis.settings.empty()) claim(axis.key, axis.key);
    for (const auto& settings : axis.settings)
      for (const auto& [key, value] : settings) claim(key, axis.key);
  }
}

}  // namespace

std::string axis_label(const std::string& key, const std::string& value_toml) {
  if (value_toml == "true" || value_toml == "false")
    return key.substr(key.rfind('.') + 1) + (value_toml == "true" ? "_on" : "_off");
  const bool is_number = value_toml.find_first_not_of("0123456789.+-e") == std::string::npos;
  std::string label = sanitised(is_number ? number_prefix(key) + value_toml : bare(value_toml));
  if (is_number && label.ends_with(".0")) label.resize(label.size() - 2);
  if (value_toml.starts_with('[')) label = number_prefix(key) + "-" + (label.empty() ? "none" : label);
  return label.empty() ? "no_" + key.substr(key.rfind('.') + 1) : label;
}

std::vector<RunRecipe> expand_grid(const Recipe& recipe) {
  check_axes(recipe);
  size_t num_runs = 1;
  for (const auto& axis : recipe.grid) {
    num_runs *= axis.values.size();
    require(num_runs <= kMaxRuns, ErrorKind::Usage, recipe.source.origin, ": grid: expected at most ", kMaxRuns,
            " runs, found more");
  }
  std::vector<RunRecipe> runs;
  std::set<std::string> ids;
  for (size_t run_index = 0; run_index < num_runs; ++run_index) {
    RunRecipe run{"", recipe, {}};
    run.recipe.grid.clear();
    const auto fields = recipe_fields(run.recipe);
    std::vector<std::pair<const GridAxis*, size_t>> chosen;
    size_t remaining = run_index, block = num_runs;
    for (const auto& axis : recipe.grid) {
      block /= axis.values.size();
      chosen.emplace_back(&axis, remaining / block);
      remaining %= block;
      const size_t index = chosen.back().second;
      if (axis.settings.empty()) {
        set(fields, axis.key, axis.values[index], recipe.source.origin);
      } else {
        for (const auto& [key, value] : axis.settings[index]) set(fields, key, value, recipe.source.origin);
      }
      run.values[axis.key] = bare(axis.values[index]);
    }
    try {
      check_consistency(run.recipe);
    } catch (const Error& error) {
      if (chosen.empty()) throw;
      throw Error(error.kind(), std::string(error.what()) + " (in the run " + combination(chosen) + ")");
    }
    run.id = run_id(run.recipe, chosen);
    if (!ids.insert(run.id).second) run.id += "-" + hexadecimal(content_hash(combination(chosen)), 8);
    ids.insert(run.id);
    runs.push_back(std::move(run));
  }
  return runs;
}

void check_grid(const Recipe& recipe) { expand_grid(recipe); }

}  // namespace normscope
