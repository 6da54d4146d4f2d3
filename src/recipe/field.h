// One key of the recipe: where its value lives, which values it takes, what it means.
#pragma once
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "recipe/recipe.h"

namespace normscope {

// Which values a key takes, beyond the type of its member.
struct Rule {
  std::vector<std::string> words = {};  // the only texts allowed; empty: any
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool excludes_low = false, excludes_high = false;
  void (*check)(const std::string&) = nullptr;  // throws Error whose message follows the key's name
  bool is_required = false;
  std::string absent = "checkpoint";  // the word for an optional number that is not given
};

using FieldTarget = std::variant<std::string*, int64_t*, double*, bool*, std::vector<std::string>*,
                                 std::array<double, 2>*, std::optional<double>*, std::optional<int64_t>*>;

struct Field {
  std::string key;  // dotted: "training.epochs"
  FieldTarget target;
  Rule rule;
  std::string help;

  std::string section() const;  // "training", or "" for the keys at the top
  std::string leaf() const;     // "epochs"
};

// The one list of the recipe's keys, in the order in which they are written.
std::vector<Field> recipe_fields(Recipe& recipe);

// The field of a dotted key, or nullptr.
const Field* find_field(const std::vector<Field>& fields, const std::string& key);

// The dotted key that somebody who wrote `key` may have meant, or "".
std::string nearest_key(const std::vector<Field>& fields, const std::string& key);

std::string describe_expected(const Field& field);

// The value as TOML; "" for an optional seed that is not given.
std::string value_toml(const Field& field);
std::string quote_toml(std::string_view text);

}  // namespace normscope
