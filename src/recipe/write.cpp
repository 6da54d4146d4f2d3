// A recipe as TOML, its hash, and what documentation says of every key.
#include "core/text.h"
#include "recipe/field.h"
#include "recipe/recipe.h"

namespace normscope {
namespace {

// A named group of settings is an inline table.
std::vector<std::string> axis_values_toml(const GridAxis& axis) {
  std::vector<std::string> values = axis.values;
  for (size_t i = 0; i < axis.settings.size(); ++i) {
    values[i] = "{ name = " + axis.values[i];
    for (const auto& [key, value] : axis.settings[i]) values[i] += ", " + quote_toml(key) + " = " + value;
    values[i] += " }";
  }
  return values;
}

// TOML's [grid] and every section after the first start with an empty line.
std::string fields_toml(const Recipe& recipe, bool with_name) {
  Recipe copy = recipe;  // the list of fields points into a recipe that may be written
  std::string text, section;
  for (const auto& field : recipe_fields(copy)) {
    const std::string value = value_toml(field);
    if (value.empty() || (field.key == "name" && !with_name)) continue;
    if (field.section() != section) {
      section = field.section();
      text += "\n[" + section + "]\n";
    }
    text += field.leaf() + " = " + value + "\n";
  }
  if (!recipe.grid.empty()) text += "\n[grid]\n";
  for (const auto& axis : recipe.grid)
    text += quote_toml(axis.key) + " = [" + join(axis_values_toml(axis), ", ") + "]\n";
  return text;
}

}  // namespace

std::string to_toml(const Recipe& recipe) { return fields_toml(recipe, true); }

std::string recipe_hash(const Recipe& recipe) { return hexadecimal(content_hash(fields_toml(recipe, false))); }

std::vector<KeyHelp> recipe_keys() {
  Recipe defaults;
  std::vector<KeyHelp> keys;
  for (const auto& field : recipe_fields(defaults)) {
    const bool has_default = !field.rule.is_required && field.key != "name";
    keys.push_back({field.key, has_default ? value_toml(field) : "", describe_expected(field), field.help,
                    field.rule.is_required});
  }
  return keys;
}

}  // namespace normscope
