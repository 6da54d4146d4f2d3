// TOML bytes and --set overrides to a Recipe.
#include <toml++/toml.h>

#include <algorithm>

#include "core/file.h"
#include "core/text.h"
#include "recipe/check.h"
#include "recipe/field.h"
#include "recipe/grid.h"
#include "recipe/recipe.h"
#include "recipe/value.h"

namespace normscope {
namespace {

constexpr size_t kMaxRecipeBytes = 1 << 20;  // a grid of every key is a few kilobytes

class RecipeParser {
 public:
  RecipeParser(Recipe& recipe, std::string_view origin)
      : recipe_(recipe), origin_(origin), fields_(recipe_fields(recipe)) {}

  void read_file(std::string_view bytes) {
    require(bytes.size() <= kMaxRecipeBytes, ErrorKind::Usage, origin_, ": expected a recipe, found a file of ",
            bytes.size(), " bytes");
    toml::table root;
    try {
      root = toml::parse(bytes, origin_);
    } catch (const toml::parse_error& error) {
      throw Error(ErrorKind::Usage,
                  place(error.source().begin.line) + ": not TOML: " + std::string(error.description()));
    }
    for (const auto& [key, node] : root) read_top(std::string(key.str()), key, node);
  }

  void read_override(const std::string& text) {
    const size_t equals = text.find('=');
    require(equals != std::string::npos && equals > 0, ErrorKind::Usage, "--set: expected key=value, found \"", text,
            "\"");
    std::string key = trimmed(text.substr(0, equals));
    std::string value = trimmed(text.substr(equals + 1));
    if (key.starts_with("grid.")) return set_axis(key.substr(5), value);
    const Field* field = find_field(fields_, key);
    if (field == nullptr) refuse_key(key, "--set");
    read_text_value(*field, value, "--set");
    recipe_.source.lines[key] = 0;
    std::erase_if(recipe_.grid, [&](const GridAxis& axis) { return axis.key == key; });
    for (auto& axis : recipe_.grid)
      for (auto& settings : axis.settings) settings.erase(key);
  }

 private:
  static std::string trimmed(std::string text) {
    const size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
  }

  std::string place(size_t line) const { return origin_ + ":" + std::to_string(line); }

  [[noreturn]] void refuse_key(const std::string& key, const std::string& where) const {
    const std::string near = nearest_key(fields_, key);
    throw Error(ErrorKind::Usage,
                where + ": unknown key " + key + (near.empty() ? "" : "; the nearest known key is " + near));
  }

  void read_top(const std::string& name, const toml::key& key, const toml::node& node) {
    const size_t line = key.source().begin.line;
    if (name == "grid") {
      require(node.is_table(), ErrorKind::Usage, place(line), ": grid: expected a table, found ", describe_found(node));
      return read_grid(*node.as_table());
    }
    if (const Field* field = find_field(fields_, name)) return read_field(*field, node, line);
    const bool is_section =
        std::any_of(fields_.begin(), fields_.end(), [&](const Field& f) { return f.section() == name; });
    if (!is_section) refuse_section(name, node, line);
    require(node.is_table(), ErrorKind::Usage, place(line), ": ", name, ": expected a table, found ",
            describe_found(node));
    for (const auto& [leaf, value] : *node.as_table()) {
      const std::string full = name + "." + std::string(leaf.str());
      const Field* field = find_field(fields_, full);
      if (field == nullptr) refuse_key(full, place(leaf.source().begin.line));
      read_field(*field, value, leaf.source().begin.line);
    }
  }

  [[noreturn]] void refuse_section(const std::string& name, const toml::node& node, size_t line) const {
    if (!node.is_table()) refuse_key(name, place(line));
    std::vector<std::string> sections = {"grid"};
    for (const auto& field : fields_)
      if (!field.section().empty() && sections.back() != field.section()) sections.push_back(field.section());
    const std::string near = nearest_name(name, sections);
    throw Error(ErrorKind::Usage, place(line) + ": unknown section [" + name + "]; " +
                                      (near.empty() ? "known are " + join(sections, ", ")
                                                    : "the nearest known section is [" + near + "]"));
  }

  void read_field(const Field& field, const toml::node& node, size_t line) {
    read_value(field, node, place(line));
    recipe_.source.lines[field.key] = line;
  }

  struct Entry {
    toml::source_position position;
    std::string key;
    const toml::node* node;
  };

  // Keys may be written "seed.all" or seed.all.
  static std::vector<Entry> dotted_entries(const toml::table& table) {
    std::vector<Entry> entries;
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (!node.is_table()) {
        entries.push_back({key.source().begin, name, &node});
        continue;
      }
      for (const auto& [leaf, value] : *node.as_table())
        entries.push_back({leaf.source().begin, name + "." + std::string(leaf.str()), &value});
    }
    return entries;
  }

  // Tables are sorted by name; the order in the file is what makes the first key the slowest.
  void read_grid(const toml::table& table) {
    auto entries = dotted_entries(table);
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.position < b.position; });
    for (const auto& entry : entries) add_axis(entry.key, *entry.node, place(entry.position.line), entry.position.line);
  }

  void set_axis(const std::string& quoted, const std::string& value) {
    std::string key = quoted;
    std::erase(key, '"');
    toml::table table;
    try {
      table = toml::parse("value = " + value);
    } catch (const toml::parse_error&) {
    }
    const toml::node* node = table.size() == 1 ? table.get("value") : nullptr;
    require(node != nullptr, ErrorKind::Usage, "--set: grid.", key, ": expected a list such as [1, 2], found \"", value,
            "\"");
    std::erase_if(recipe_.grid, [&](const GridAxis& axis) { return axis.key == key; });
    add_axis(key, *node, "--set", 0);
  }

  void add_axis(const std::string& key, const toml::node& node, const std::string& where, size_t line) {
    Recipe scratch;  // values are checked by reading them; the recipe itself keeps its own
    const auto fields = recipe_fields(scratch);
    const Field* field = find_field(fields, key);
    if (field == nullptr && is_named_settings(node)) return add_named_axis(key, *node.as_array(), where, line);
    if (field == nullptr) refuse_key(key, where + ": grid");
    require(key != "name", ErrorKind::Usage, where, ": grid: name cannot vary: it names the whole study");
    const auto* values = node.as_array();
    require(values != nullptr && !values->empty(), ErrorKind::Usage, where, ": grid: ", key,
            ": expected a list of one or more values, found ", describe_found(node));
    GridAxis axis{key, {}, {}};
    for (const auto& value : *values) {
      read_value(*field, value, where + ": grid");
      const std::string text = value_toml(*field);
      require(std::find(axis.values.begin(), axis.values.end(), text) == axis.values.end(), ErrorKind::Usage, where,
              ": grid: ", key, ": ", text, " is given twice");
      axis.values.push_back(text);
    }
    recipe_.source.lines[key] = line;
    recipe_.grid.push_back(std::move(axis));
  }

  static bool is_named_settings(const toml::node& node) {
    const auto* values = node.as_array();
    return values != nullptr && !values->empty() && values->get(0)->is_table();
  }

  void add_named_axis(const std::string& key, const toml::array& values, const std::string& where, size_t line) {
    const std::string place = where + ": grid: " + key;
    GridAxis axis{key, {}, {}};
    for (const auto& value : values) {
      require(value.is_table(), ErrorKind::Usage, place, ": expected a table with a name in every place, found ",
              describe_found(value));
      const toml::table& table = *value.as_table();
      const auto name = table["name"].value<std::string>();
      require(name && !name->empty(), ErrorKind::Usage, place, ": expected a name, a text, in every table");
      const std::string quoted = quote_toml(*name);
      require(std::ranges::find(axis.values, quoted) == axis.values.end(), ErrorKind::Usage, place, ": ", quoted,
              " is given twice");
      axis.values.push_back(quoted);
      axis.settings.push_back(read_settings(table, place + ": " + *name));
    }
    recipe_.source.lines[key] = line;
    recipe_.grid.push_back(std::move(axis));
  }

  std::map<std::string, std::string> read_settings(const toml::table& table, const std::string& where) {
    Recipe scratch;
    const auto fields = recipe_fields(scratch);
    std::map<std::string, std::string> settings;
    for (const auto& entry : dotted_entries(table)) {
      if (entry.key == "name") continue;
      const Field* field = find_field(fields, entry.key);
      if (field == nullptr) refuse_key(entry.key, where);
      read_value(*field, *entry.node, where);
      settings[entry.key] = value_toml(*field);
    }
    return settings;
  }

  Recipe& recipe_;
  std::string origin_;
  std::vector<Field> fields_;
};

}  // namespace

Recipe parse_recipe(std::string_view bytes, std::string_view origin, std::span<const std::string> overrides) {
  Recipe recipe;
  recipe.source.origin = std::string(origin);
  RecipeParser parser(recipe, origin);
  parser.read_file(bytes);
  for (const auto& text : overrides) parser.read_override(text);
  if (recipe.name.empty()) recipe.name = std::filesystem::path(recipe.source.origin).stem().string();
  if (recipe.name.empty()) recipe.name = "recipe";
  check_grid(recipe);
  return recipe;
}

Recipe load_recipe(const std::filesystem::path& path, std::span<const std::string> overrides) {
  return parse_recipe(read_file(path, ErrorKind::Usage), path.string(), overrides);
}

std::filesystem::path resolve_path(const Recipe& recipe, const std::string& path) {
  const auto beside = std::filesystem::path(recipe.source.origin).parent_path() / path;
  std::error_code ignored;  // a path that cannot be looked at is not there
  return std::filesystem::exists(beside, ignored) ? beside : std::filesystem::path(path);
}

}  // namespace normscope
